package leads

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// OverviewInput is the input of code.overview.
type OverviewInput struct {
	Question   string   `json:"question" doc:"the question in plain words"`
	References []string `json:"references,omitempty" doc:"what a search found, for questions that also ask for one part"`
	Tokens     int      `json:"tokens" doc:"length of the summary at most, in tokens of four bytes" default:"300" min:"60" max:"4000"`
}

// Overview returns code.overview, which describes a tree and where to begin: from its README,
// manifests, entry points, documents and directories. It lists files and reads few of them.
func Overview() catalog.Builtin {
	return catalog.New("code.overview", "say what the project is, what it consists of and where to begin reading", catalog.Roots, overview)
}

// These bound what an overview shows.
const (
	maxEntries = 4
	maxGuides  = 3
	maxDirs    = 8
	maxLargest = 5 // in addition to the directories
	maxTopics  = 4
)

func overview(ctx context.Context, env *catalog.Env, in OverviewInput) (contract.Result, error) {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	roots := env.Roots.Roots()
	room := in.Tokens * 4 / max(len(roots), 1)
	var texts []string
	for _, root := range roots {
		files, err := filesOf(ctx, root, env)
		if err != nil {
			return contract.Result{}, err
		}
		v := viewer{ctx: ctx, env: env, root: root, files: files, result: &r}
		if text := v.describe(in.Question, room); text != "" {
			texts = append(texts, text)
		}
		if ctx.Err() != nil {
			return contract.Result{}, ctx.Err()
		}
	}
	r.Summary = strings.Join(texts, "\n")
	if len(subjectStems(in.Question)) > 0 {
		r.References = append(r.References, in.References[:min(len(in.References), maxTopics)]...)
	}
	r.References = contract.Dedupe(r.References)
	return r, nil
}

// filesOf returns a root's files as listed by an earlier stage of the request, or lists them.
func filesOf(ctx context.Context, root *sandbox.Root, env *catalog.Env) ([]sandbox.Entry, error) {
	known, err := source.SurveyRoot(ctx, env, root)
	if err != nil {
		return nil, err
	}
	return known.Files, nil
}

// viewer describes one root.
type viewer struct {
	buckets map[string]coderank.Bucket // cache of cachedBucket
	ctx     context.Context
	env     *catalog.Env
	root    *sandbox.Root
	files   []sandbox.Entry
	result  *contract.Result
	lines   []string
	name    string // of the project, from its manifest or directory
}

// describe writes a text of at most room bytes, the most important lines first.
func (v *viewer) describe(question string, room int) string {
	v.addManifest()
	v.addReadme()
	v.addTopics(question)
	v.addEntries()
	v.addGuides()
	v.addDirectories()
	var b strings.Builder
	for _, l := range v.lines {
		if b.Len() > 0 && b.Len()+len(l)+1 > room {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(contract.Shorten(l, max(room-b.Len(), 40)))
	}
	return b.String()
}

// text returns the beginning of a file of the root, nil if it cannot be read.
func (v *viewer) text(rel string) []byte {
	const most = 32 << 10
	data, err := v.root.ReadFile(v.ctx, rel, nil)
	if err != nil || sandbox.IsBinary(data) {
		return nil
	}
	return data[:min(len(data), most)]
}

// bookReference books n bytes of a file and returns its reference.
func (v *viewer) bookReference(rel string, line, n int) (string, bool) {
	ref := v.env.Roots.Ref(v.root, rel)
	if v.env.Ledger.Read(ref, int64(n)) != nil {
		return "", false
	}
	return contract.Reference{Path: ref, Line: line}.String(), true
}

// addReadme puts the first paragraphs of the README at the beginning.
func (v *viewer) addReadme() {
	rel := v.first(func(p string) bool {
		return path.Dir(p) == "." && strings.HasPrefix(strings.ToLower(p), "readme")
	})
	if rel == "" {
		return
	}
	text, line := firstParagraphs(string(v.text(rel)), v.name, 420)
	if text == "" {
		return
	}
	text = contract.Shorten(text, 420)
	if ref, ok := v.bookReference(rel, line, len(text)); ok {
		v.lines = slices.Insert(v.lines, 0, fmt.Sprintf("`%s` (%s): %s", path.Base(rel), ref, text))
		v.result.References = slices.Insert(v.result.References, 0, ref)
	}
}

// first returns the first matching file by path, preferring Markdown.
func (v *viewer) first(fits func(string) bool) string {
	best := ""
	for _, f := range v.files {
		if fits(f.Path) && (best == "" || path.Ext(f.Path) == ".md" && path.Ext(best) != ".md") {
			best = f.Path
		}
	}
	return best
}

// addTopics names files of the part that the question asks for in addition to the whole.
func (v *viewer) addTopics(question string) {
	want := subjectStems(question)
	if len(want) == 0 {
		return
	}
	type scored struct {
		path  string
		score float64
	}
	var list []scored
	for _, f := range v.files {
		if b := v.cachedBucket(f.Path); !coderank.IsSource(f.Path) || b != coderank.Implementation && b != coderank.Entry {
			continue
		}
		base := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
		s := 2*stemShare(want, base) + stemShare(want, path.Base(path.Dir(f.Path)))
		if s > 0 {
			list = append(list, scored{f.Path, s - 0.1*float64(strings.Count(f.Path, "/")) - 0.01*float64(len(base))})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		if a.score != b.score {
			return compareDown(a.score, b.score)
		}
		return strings.Compare(a.path, b.path)
	})
	var names []string
	for _, s := range list[:min(len(list), maxTopics)] {
		line, what := v.centralDefinition(s.path)
		if ref, ok := v.bookReference(s.path, line, len(what)); ok {
			names = append(names, citeOptional(what, ref))
			v.result.References = append(v.result.References, ref)
		}
	}
	if len(names) > 0 {
		v.lines = append(v.lines, "For what you ask: "+strings.Join(names, ", "))
	}
}

func citeOptional(what, ref string) string {
	if what == "" {
		return ref
	}
	return source.Cite(what, ref)
}

func compareDown(a, b float64) int {
	if a > b {
		return -1
	}
	return 1
}
