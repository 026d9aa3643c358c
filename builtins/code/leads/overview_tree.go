package leads

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

//go:embed lists/guides.txt
var guidesList string

//go:embed lists/manifests.txt
var manifestsList string

// manifestNames returns the names of the files at the top of a tree that say how it is built; only
// one is reported.
var manifestNames = sync.OnceValue(func() []string {
	return strings.Fields(strings.Join(slices.Collect(words.Lines(manifestsList)), " "))
})

var (
	manifestName = lazyregexp.New(`(?m)^\s*(?:name\s*[=:]\s*|"name"\s*:\s*|<artifactId>|module\s+|project\(|rootProject\.name\s*=\s*|[\w.]*\.name\s*=\s*)["']?([\w@./-]+)`)
	manifestDoc  = lazyregexp.New(`(?m)^\s*(?:description\s*=\s*|"description"\s*:\s*|<description>|[\w.]*\.summary\s*=\s*)["']?([^"'<\n]{8,200})`)
	memberLine   = lazyregexp.New(`(?s)(?:members\s*=\s*|"workspaces"\s*:\s*(?:\{\s*"packages"\s*:\s*)?)\[([^\]]{1,900})\]`)
)

// addManifest reports the project's name and members from the build files.
func (v *viewer) addManifest() {
	v.name = path.Base(v.root.Path())
	for _, f := range v.files {
		if path.Dir(f.Path) != "." || !isManifest(f.Path) {
			continue
		}
		text := string(v.text(f.Path))
		line := "`" + f.Path + "`"
		if m := manifestName.FindStringSubmatch(text); m != nil {
			v.name = path.Base(m[1])
			line = fmt.Sprintf("`%s`", m[1])
		}
		ref, ok := v.bookReference(f.Path, 0, 200)
		if !ok {
			return
		}
		line += " (" + ref + ")"
		if m := manifestDoc.FindStringSubmatch(text); m != nil {
			line += ": " + contract.Shorten(strings.TrimSpace(m[1]), 120)
		}
		if m := memberLine.FindStringSubmatch(text); m != nil {
			line += "; members: " + contract.Shorten(strings.Join(strings.Fields(strings.NewReplacer("\"", "", "'", "", ",", " ").Replace(m[1])), ", "), 200)
		}
		if len(v.lines) == 0 { // without a README
			v.result.References = append(v.result.References, ref)
		}
		v.lines = append(v.lines, "Built by "+line)
		return
	}
}

func isManifest(p string) bool {
	return slices.Contains(manifestNames(), p) || strings.HasSuffix(p, ".gemspec") || strings.HasSuffix(p, ".sln") || strings.HasSuffix(p, ".csproj")
}

// addEntries lists the files where the program or the library begins.
func (v *viewer) addEntries() {
	type scored struct {
		path  string
		score int
	}
	var list []scored
	name := strings.ToLower(strings.TrimSuffix(v.name, ".js"))
	main := v.packageMain()
	for _, f := range v.files {
		b := v.cachedBucket(f.Path)
		if !coderank.IsSource(f.Path) || b != coderank.Implementation && b != coderank.Entry {
			continue
		}
		base := strings.ToLower(path.Base(f.Path))
		stem := strings.TrimSuffix(base, path.Ext(base))
		depth := strings.Count(f.Path, "/")
		s := 0
		switch {
		case f.Path == main:
			s = 100
		case stem == name:
			s = 60
		case stem == "main" || stem == "__main__" || base == "program.cs":
			s = 50
		case stem == "lib" && path.Ext(base) == ".rs", stem == "index" && depth <= 2, stem == "__init__" && depth == 1, stem == "app" && depth <= 2:
			s = 40
		case strings.HasPrefix(f.Path, "bin/") && depth == 1:
			s = 40
		}
		if s > 0 && depth < 5 {
			if path.Base(path.Dir(f.Path)) == name {
				s += 15
			}
			list = append(list, scored{f.Path, s - 4*depth})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path))
	})
	var parts []string
	for _, e := range list[:min(len(list), maxEntries)] {
		line, what := v.centralDefinition(e.path)
		if ref, ok := v.bookReference(e.path, line, len(what)); ok {
			parts = append(parts, citeOptional(what, ref))
			v.result.References = append(v.result.References, ref)
		}
	}
	if len(parts) > 0 {
		v.lines = append(v.lines, "Entry points: "+strings.Join(parts, ", "))
	}
}

// packageMain returns the file that package.json names as main, or "".
func (v *viewer) packageMain() string {
	var p struct {
		Main string `json:"main"`
	}
	if json.Unmarshal(v.text("package.json"), &p) != nil || p.Main == "" {
		return ""
	}
	return path.Clean(p.Main)
}

// heartBytes bounds how much of a file is read for its central definition.
const heartBytes = 512 << 10

// head loads a file, only the beginning if it is huge.
func (v *viewer) head(rel string) (*source.File, error) {
	ref := v.env.Roots.Ref(v.root, rel)
	if e, err := v.root.Stat(rel); err == nil && e.Size > heartBytes {
		return source.LoadPart(v.ctx, v.env, ref, &source.ParseBudget{BytesLeft: heartBytes})
	}
	return source.Load(v.ctx, v.env, ref)
}

// cachedBucket classifies a file of the root by its path.
func (v *viewer) cachedBucket(p string) coderank.Bucket {
	b, ok := v.buckets[p]
	if !ok {
		if b = coderank.BucketOf(p, nil); v.buckets == nil {
			v.buckets = make(map[string]coderank.Bucket, len(v.files))
		}
		v.buckets[p] = b
	}
	return b
}

// centralDefinition returns the line and name of a file's central definition: one named like the
// file or the project, main, or else the longest, preferably exported.
func (v *viewer) centralDefinition(rel string) (int, string) {
	src, err := v.head(rel)
	if err != nil {
		return 0, ""
	}
	stem := words.FoldName(strings.TrimSuffix(path.Base(rel), path.Ext(rel)))
	best, most := symbols.Def{}, 0
	for _, d := range src.Defs {
		if d.Container != "" || !usage.IsTraceable(d.Kind) || d.Kind == symbols.KindVariable || d.Kind == symbols.KindConstant {
			continue
		}
		n := min(d.EndLine-d.Line+1, 400)
		switch fold := words.FoldName(d.Name); {
		case fold == stem || fold == words.FoldName(v.name), d.Name == "main":
			n += 1000
		case d.Exported:
			n += 60
		}
		if n > most {
			best, most = d, n
		}
	}
	return best.Line, best.Name
}

// guideWords returns the names of documents for newcomers, best first.
var guideWords = sync.OnceValue(func() []string {
	return strings.Fields(strings.Join(slices.Collect(words.Lines(guidesList)), " "))
})

// addGuides lists documents to begin with.
func (v *viewer) addGuides() {
	type scored struct {
		path  string
		score int
	}
	var list []scored
	for _, f := range v.files {
		ext := strings.ToLower(path.Ext(f.Path))
		if depth := strings.Count(f.Path, "/"); depth > 3 || ext != ".md" && ext != ".rst" && ext != ".adoc" && ext != ".txt" && ext != "" {
			continue
		}
		if strings.HasPrefix(f.Path, ".") || v.cachedBucket(f.Path) == coderank.Vendored {
			continue
		}
		stem := strings.ToLower(strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
		for i, w := range guideWords() {
			if stem == w || strings.HasSuffix(stem, "-"+w) || strings.HasPrefix(stem, w+"-") || strings.HasSuffix(stem, "_"+w) {
				list = append(list, scored{f.Path, 10*i + 15*strings.Count(f.Path, "/")})
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.path, b.path)) })
	var parts []string
	for _, g := range list[:min(len(list), maxGuides)] {
		if ref, ok := v.bookReference(g.path, 0, 0); ok {
			parts = append(parts, ref)
			v.result.References = append(v.result.References, ref)
		}
	}
	if len(parts) > 0 {
		v.lines = append(v.lines, "Documents to begin with: "+strings.Join(parts, ", "))
	}
}

// addDirectories describes each directory of code in one line.
func (v *viewer) addDirectories() {
	dirs := v.codeDirs()
	if len(dirs) < 2 {
		v.addLargest(maxDirs-2, func(p string) bool {
			dir := path.Dir(p)
			return dir == "." || slices.Contains(dirs, dir)
		})
		return
	}
	v.addLargest(maxLargest, func(p string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(p, d+"/") || path.Dir(p) == path.Dir(d) })
	})
	for _, dir := range dirs {
		rel, line, text := v.purpose(dir)
		if rel == "" {
			continue
		}
		text = contract.Shorten(text, 90)
		if ref, ok := v.bookReference(rel, line, len(text)); ok {
			v.lines = append(v.lines, fmt.Sprintf("`%s/` (%s): %s", dir, ref, text))
			v.result.References = append(v.result.References, ref)
		}
	}
}

// addLargest names the largest code files, which do much of the work.
func (v *viewer) addLargest(most int, within func(path string) bool) {
	const asked = 2000 // files whose size is looked up
	type sized struct {
		path  string
		bytes int
	}
	var list []sized
	for _, f := range v.files {
		if coderank.IsSource(f.Path) && v.cachedBucket(f.Path) == coderank.Implementation && len(list) < asked && within(f.Path) {
			if e, err := v.root.Stat(f.Path); err == nil {
				list = append(list, sized{f.Path, int(e.Size)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b sized) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.path, b.path)) })
	var parts []string
	for _, e := range list[:min(len(list), most)] {
		line, what := v.centralDefinition(e.path)
		if ref, ok := v.bookReference(e.path, line, len(what)); ok {
			parts = append(parts, citeOptional(what, ref))
			v.result.References = append(v.result.References, ref)
		}
	}
	if len(parts) > 0 {
		v.lines = append(v.lines, "Largest files: "+strings.Join(parts, ", "))
	}
}

// codeDirs returns the directories that hold most of the code, at the topmost level that has
// several.
func (v *viewer) codeDirs() []string {
	below, children := map[string]int{}, map[string]map[string]bool{}
	for _, f := range v.files {
		if b := v.cachedBucket(f.Path); !coderank.IsSource(f.Path) || b != coderank.Implementation && b != coderank.Entry && b != coderank.Types {
			continue
		}
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			below[dir]++
			if dir == "." {
				break
			}
			up := path.Dir(dir)
			if children[up] == nil {
				children[up] = map[string]bool{}
			}
			children[up][dir] = true
		}
	}
	at := "."
	for {
		next := ""
		for c := range children[at] {
			if below[c]*10 >= below[at]*7 {
				next = c
			}
		}
		if next == "" || len(children[next]) == 0 {
			break
		}
		at = next
	}
	var out []string
	for c := range children[at] {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(below[b], below[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), maxDirs)]
}

// purpose describes the role of a directory, and returns the place of the text: its README, its
// package comment, or else its central definition.
func (v *viewer) purpose(dir string) (rel string, line int, text string) {
	base := path.Base(dir)
	var heads []string
	largest := ""
	for _, f := range v.files {
		if path.Dir(f.Path) != dir {
			continue
		}
		low := strings.ToLower(path.Base(f.Path))
		stem := strings.TrimSuffix(low, path.Ext(low))
		switch {
		case low == "doc.go" || low == "__init__.py" || low == "lib.rs" || low == "mod.rs" || low == "package-info.java" || strings.HasPrefix(low, "readme"):
			heads = append([]string{f.Path}, heads...)
		case stem == base || stem == "index" || stem == "main":
			heads = append(heads, f.Path)
		}
		if v.cachedBucket(f.Path) == coderank.Implementation && (largest == "" || stem == base) {
			largest = f.Path
		}
	}
	for _, h := range heads[:min(len(heads), 3)] {
		data := v.text(h)
		if !coderank.IsSource(h) {
			if p, at := firstParagraph(string(data)); p != "" {
				return h, at, p
			}
			continue
		}
		if c, at := headComment(h, data); c != "" {
			return h, at, c
		}
	}
	for _, h := range append(heads, largest) {
		if h == "" || !coderank.IsSource(h) {
			continue
		}
		if at, what := v.centralDefinition(h); what != "" {
			return h, at, "`" + what + "`"
		}
	}
	return "", 0, ""
}

// headComment returns the first sentence of the comment at the head of a source file, skipping
// licences, and its line.
func headComment(rel string, data []byte) (string, int) {
	head := data[:min(len(data), 6<<10)]
	text, at := "", 0
	symbols.Split(symbols.Detect(rel, head), head, func(k symbols.SpanKind, from, to int) {
		if k != symbols.SpanComment || text != "" || from > 3<<10 {
			return
		}
		c := strings.Trim(string(head[from:to]), "/*#!\"' \t\r\n")
		var kept []string
		for _, l := range strings.Split(c, "\n") {
			kept = append(kept, strings.Trim(l, "/*#! \t\r"))
		}
		c = strings.Join(strings.Fields(strings.Join(kept, " ")), " ")
		low := strings.ToLower(c)
		if len(c) < 12 || !strings.Contains(c, " ") || strings.Contains(low, "copyright") || strings.Contains(low, "license") || strings.Contains(low, "eslint") ||
			strings.Contains(low, "use strict") || strings.Contains(c, "@ts-") {
			return
		}
		if path.Ext(rel) == ".go" && !strings.HasPrefix(c, "Package ") {
			return
		}
		if i := strings.Index(c, ". "); i > 0 {
			c = c[:i+1]
		}
		text, at = c, 1+strings.Count(string(head[:from]), "\n")
	})
	return text, at
}
