package commitbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory/gittest"
)

// finder is a tool that names the files of a tree whose text holds a word of
// the question, and what the tree looked like.
type finder struct {
	dir  string
	seen func(dir, question string)
}

func (f finder) Ask(_ context.Context, question string) (json.RawMessage, error) {
	if f.seen != nil {
		f.seen(f.dir, question)
	}
	refs := []string{}
	_ = filepath.WalkDir(f.dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".go" {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(f.dir, p)
		for w := range strings.FieldsSeq(question) {
			if len(w) > 4 && strings.Contains(string(text), w) {
				refs = append(refs, filepath.ToSlash(rel)+":3")
				break
			}
		}
		return err
	})
	return json.Marshal(map[string]any{"references": refs, "confidence": "high"})
}

func (finder) Close() error { return nil }

func options(dir string, seen func(dir, question string)) Options {
	return Options{
		Dir: dir, Kind: eval.History, Commits: 5, Seed: 1, Jobs: 1,
		Source: func(p string, head []byte) bool {
			return path.Ext(p) == ".go" && !strings.HasSuffix(p, "_test.go") && !strings.Contains(string(head), "generated")
		},
		Definitions: func(_ string, src []byte) []Definition {
			var out []Definition
			for i, line := range strings.Split(string(src), "\n") {
				if name, ok := strings.CutPrefix(line, "func "); ok {
					out = append(out, Definition{Name: strings.TrimSuffix(name, "() {"), Line: i + 1, End: i + 3, Exported: true, Asked: true})
				}
			}
			return out
		},
		Open:  func(dir string) (Asker, error) { return finder{dir, seen}, nil },
		Count: func(s string) int { return len(s) / 4 },
		Show:  func(string, int, int) {},
	}
}

var subjects = []string{
	"flush buffers before segments are sealed", "keep postings sorted while growing", "refuse connections above the limit",
	"extend deadlines after every keepalive", "reject expired credentials quite early", "choose contrasting colours for series",
}

func text(i int, more string) string {
	return fmt.Sprintf("package x\n\nfunc %s() {\n\t// %s\n%s}\n", function(i), subjects[i], more)
}

// function is a name of two humps that no other file has.
func function(i int) string {
	w := strings.Fields(subjects[i])
	return strings.ToUpper(w[0][:1]) + w[0][1:] + strings.ToUpper(w[1][:1]) + w[1][1:]
}

// history is a repository in which commit i changes file f<i>.go.
func history(t *testing.T) *gittest.Repo {
	t.Helper()
	if !gittest.Has() {
		t.Skip("no git here")
	}
	t.Setenv("TMPDIR", t.TempDir())
	r := gittest.New(t, filepath.Join(t.TempDir(), "repo"))
	for i := range subjects {
		r.Write(fmt.Sprintf("f%d.go", i), text(i, ""))
	}
	r.Commit("begin", nil)
	for i, s := range subjects {
		r.Commit(s, map[string]string{fmt.Sprintf("f%d.go", i): text(i, "\t_ = 1\n\t_ = 2\n\t_ = 3\n")})
	}
	return r
}

// left is what a run left in the temporary directory.
func left(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// A secret of a commit's message is in no question, and so in nothing that is made of it.
func TestQuestionsHoldNoSecrets(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	r := history(t)
	for i := range subjects {
		r.Commit("rotate the token "+secret+" of our nightly jobs", map[string]string{fmt.Sprintf("f%d.go", i): text(i, "\t_ = 4\n\t_ = 5\n\t_ = 6\n")})
	}
	asked := 0
	opt := options(r.Dir, func(_, question string) {
		if asked++; strings.Contains(question, secret) {
			t.Errorf("the tool is asked %q", question)
		}
	})
	opt.Mask = func(s string) string { return strings.ReplaceAll(s, secret, "[token]") }
	opt.Commits = 12
	out, err := Run(t.Context(), opt)
	if err != nil || asked != 12 {
		t.Fatal(asked, err)
	}
	recorded := opt
	recorded.Cases = []eval.Case{
		{ID: secret, Kind: eval.Absent, Question: "where is " + secret + "?", Repo: secret},
		{ID: "gold", Kind: eval.Definition, Question: "where is it?", Gold: []string{secret + ".go"}},
	}
	recorded.Kind = All
	again, err := Run(t.Context(), recorded)
	if err != nil || len(again.Cases) != 1 {
		t.Fatal(again, err)
	}
	for _, o := range []*Outcome{out, again} {
		run := &eval.Run{Cases: o.Cases, Looked: o.Looked}
		run.Finish()
		data, err := run.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if all := string(data) + eval.Show(run, nil, true, false) + eval.Show(run, nil, true, true); strings.Contains(all, secret) {
			t.Errorf("it is shown or saved: %s", all)
		}
	}
}

func TestTheTreeIsThatBeforeTheCommit(t *testing.T) {
	r := history(t)
	asked := 0
	out, err := Run(t.Context(), options(r.Dir, func(dir, question string) {
		asked++
		i := slices.Index(subjects, question)
		if i < 0 {
			t.Fatalf("asked %q", question)
		}
		for j := range subjects {
			got, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("f%d.go", j)))
			if changed := strings.Contains(string(got), "_ = 1"); err != nil || changed != (j < i) {
				t.Errorf("asked about commit %d: file %d is changed: %v, %v", i, j, changed, err)
			}
		}
		if git, _ := os.ReadDir(filepath.Join(dir, ".git")); len(git) > 0 {
			t.Errorf("the tree knows of its history: %v", git)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if asked != 5 || len(out.Cases) != 5 || out.Looked.Usable != 6 {
		t.Errorf("asked %d, %d results, %+v", asked, len(out.Cases), out.Looked)
	}
	for _, c := range out.Cases {
		want := fmt.Sprintf("f%d.go", slices.Index(subjects, c.Question))
		if c.Rank != 1 || c.LineRank != 1 || c.Gold[0] != want || c.Unresolved != 0 {
			t.Errorf("%+v", c)
		}
	}
	if names := left(t); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestEqualRunsAskTheSame(t *testing.T) {
	r := history(t)
	run := func(change func(*Options)) string {
		opt := options(r.Dir, nil)
		opt.Kind = All
		change(&opt)
		out, err := Run(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		for i := range out.Cases {
			out.Cases[i].Seconds = 0
		}
		raw, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	one := run(func(*Options) {})
	if two := run(func(o *Options) { o.Jobs = 3 }); one != two {
		t.Errorf("three at a time differ:\n%s\n%s", one, two)
	}
	if other := run(func(o *Options) { o.Seed = 7 }); one == other {
		t.Error("another seed draws the same")
	}
}

func TestACutRunLeavesNothing(t *testing.T) {
	r := history(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := 0
	_, err := Run(ctx, options(r.Dir, func(string, string) {
		if asked++; asked == 2 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || asked != 2 {
		t.Errorf("asked %d, %v", asked, err)
	}
	if names := left(t); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestCommitsFallOutForAReason(t *testing.T) {
	r := history(t)
	r.Commit("docs: say what a segment is and does", map[string]string{"README.md": "x\n"})
	r.Commit("say what a segment is and does", map[string]string{"README.md": "y\n"})
	r.Commit("too short", map[string]string{"f0.go": text(0, "\t_ = 4\n\t_ = 5\n")})
	r.Commit("one line is too few of them", map[string]string{"f0.go": text(0, "\t_ = 4\n\t_ = 6\n")})
	r.Commit("look into f1.go for what is wrong", map[string]string{"f1.go": text(1, "\t_ = 4\n\t_ = 6\n")})
	r.Commit("take away the whole of it at once", map[string]string{"f5.go": ""})
	r.Commit("add two of them at the same time", map[string]string{"f0.go": text(0, ""), "n1.go": "package x\n", "n2.go": "package x\n"})
	r.Commit("a test alone is no source at all", map[string]string{"f_test.go": "package x\n"})
	r.Commit("machines write this file over and over", map[string]string{"g.go": "// generated\npackage x\n"})
	r.Commit("machines write this file once and again", map[string]string{"g.go": "// generated\npackage x\n\nfunc a() {}\nfunc b() {}\n"})
	all := map[string]string{}
	for i := range 5 {
		all[fmt.Sprintf("f%d.go", i)] = text(i, "\t_ = 7\n\t_ = 8\n")
	}
	r.Commit("change five of the files at once", all)
	out, err := Run(t.Context(), options(r.Dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, w := range out.Looked.Out {
		got[w.Why] = w.N
	}
	want := map[string]int{"tests, docs or continuous integration": 1, whyNoSource: 4, whyWords: 1, whyLines: 1, whyNamed: 1, whyMoved: 2, whyMany: 1}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("fell out\n%v, want\n%v", got, want)
	}
	if out.Looked.Usable != len(subjects) {
		t.Errorf("usable: %d", out.Looked.Usable)
	}
}

func TestTooLittleHistoryIsSaidWithReasons(t *testing.T) {
	r := history(t)
	opt := options(r.Dir, nil)
	opt.Since = time.Unix(1_700_000_000, 0).Add(5 * time.Minute)
	_, err := Run(t.Context(), opt)
	if err == nil || !strings.Contains(err.Error(), "3 commits looked at, 3 usable, at least 5 needed") {
		t.Errorf("%v", err)
	}
}

func TestOneFileIsFirstThreeTimesAtMost(t *testing.T) {
	r := history(t)
	for i := range 9 {
		r.Commit(fmt.Sprintf("flush buffers before segments are sealed %d", i), map[string]string{"f0.go": text(0, strings.Repeat("\t_ = 1\n", 6+3*i))})
	}
	opt := options(r.Dir, nil)
	opt.Commits = 20
	out, err := Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range out.Cases {
		if c.Gold[0] == "f0.go" {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d questions about one file", n)
	}
}

func TestNamesAreAskedForAndInvented(t *testing.T) {
	r := history(t)
	opt := options(r.Dir, nil)
	opt.Kind = All
	out, err := Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for i := range subjects {
		all.WriteString(strings.ToLower(text(i, "")))
	}
	definitions, absent := 0, 0
	for _, c := range out.Cases {
		name := strings.TrimSuffix(strings.TrimPrefix(c.Question, "where is "), " defined?")
		switch c.Kind {
		case eval.Definition:
			definitions++
			if !strings.Contains(all.String(), "func "+strings.ToLower(name)+"()") || c.Line != 3 {
				t.Errorf("asked for %s at %d", name, c.Line)
			}
		case eval.Absent:
			absent++
			if strings.Contains(all.String(), strings.ToLower(name)) || len(c.Gold) > 0 {
				t.Errorf("%s is there", name)
			}
		}
	}
	if definitions != 3 || absent != 2 {
		t.Errorf("%d definitions, %d absent", definitions, absent)
	}
}

func TestReferencesThatLeadNowhereAreCounted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("1\n2\n3"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	b := &bench{session: &session{Options: options(dir, nil)}, files: files}
	var a eval.Answer
	err = b.readReply([]byte(`{"references":["a.go","a.go:3","a.go:4","b.go","../a.go:1","a.go:1:1"],"found":{"status":"ok","value":{"confidence":"med"}},"more":{"status":"ok","value":{"confidence":"low"}}}`), &a)
	if err != nil || a.Unresolved != 3 || len(a.References) != 6 || a.Confidence != "med" {
		t.Errorf("%+v, %v", a, err)
	}
	if err := b.readReply([]byte(`{"answer":"no"}`), &a); err == nil {
		t.Error("a reply without references passes")
	}
	if err := b.readReply([]byte(`{"references":[],"found":{"status":"error","error":{"message":"no","code":"X"}}}`), &a); err == nil {
		t.Error("a failed search passes for not found")
	}
}
