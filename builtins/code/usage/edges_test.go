package usage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// edgeFunction is a function, and the places that a compiler says call it, or name it at all. The
// last line of a file of them has instead the places of which the compiler cannot tell what they
// name.
type edgeFunction struct {
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Calls    []string `json:"calls"`
	Uses     []string `json:"uses"`
	Ungraded []string `json:"ungraded"`
}

// edgeGrader holds callers against those that a compiler finds.
type edgeGrader struct {
	functions []edgeFunction
	calls     map[string][]string // by the place of the function
	uses      map[string][]string
	ungraded  map[string]bool

	asked, absent         int
	listed, right         int
	calling, found, maybe int
	denied, deniedWrongly int
}

// edgesGraded is how many functions of a tree are asked for.
const edgesGraded = 200

// TestCallEdges grades the callers of 200 functions of a tree by what a compiler says, which .ci/edges writes:
//
//	COMPACTOR_EDGES=gson.jsonl COMPACTOR_EDGES_ROOT=gson go test -v -run TestCallEdges ./builtins/code
//
// What is listed for certain has to be a use in 95 of 100 cases, and a denial has to be true in all.
func TestCallEdges(t *testing.T) {
	file, dir := os.Getenv("COMPACTOR_EDGES"), os.Getenv("COMPACTOR_EDGES_ROOT")
	if file == "" {
		t.Skip("COMPACTOR_EDGES is not set")
	}
	g := readEdges(t, file)
	root, err := sandbox.OpenRoot("code", dir, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for i := range g.functions {
		if g.asked == edgesGraded {
			break
		}
		if f := &g.functions[i]; !strings.Contains(f.Path, "test") {
			g.grade(t, codetest.EnvWithRoots(t, root), f)
		}
	}
	precision, recall := float64(g.right)/float64(max(1, g.listed)), float64(g.found)/float64(max(1, g.calling))
	t.Logf("%s: %d functions, %d of them not found; precision %d of %d = %.3f; recall %d of %d = %.3f, with those that may be meant %.3f; %d denied, %d of them wrongly",
		dir, g.asked, g.absent, g.right, g.listed, precision, g.found, g.calling, recall, float64(g.found+g.maybe)/float64(max(1, g.calling)), g.denied, g.deniedWrongly)
	if precision < 0.95 || g.deniedWrongly > 0 {
		t.Errorf("precision %.3f, %d denials are wrong", precision, g.deniedWrongly)
	}
}

func readEdges(t *testing.T, file string) *edgeGrader {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := &edgeGrader{calls: map[string][]string{}, uses: map[string][]string{}, ungraded: map[string]bool{}}
	for line := range bytes.Lines(data) {
		var f edgeFunction
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		for _, at := range f.Ungraded {
			g.ungraded[at] = true
		}
		if f.Name != "" {
			g.functions = append(g.functions, f)
			g.calls[placeOf(f.Path, f.Line)], g.uses[placeOf(f.Path, f.Line)] = f.Calls, f.Uses
		}
	}
	slices.SortFunc(g.functions, func(a, b edgeFunction) int { return cmp.Compare(a.hash(), b.hash()) })
	return g
}

// hash orders functions by chance, the same in each run.
func (f edgeFunction) hash() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, f.Path, f.Name, f.Line)
	return h.Sum64()
}

func placeOf(path string, line int) string { return path + ":" + strconv.Itoa(line) }

func (g *edgeGrader) grade(t *testing.T, env *catalog.Env, f *edgeFunction) {
	g.asked++
	all, of := callersAt(t, env, f)
	if len(all.groups) == 0 || len(all.groups[0].defs) == 0 {
		g.absent++
		return
	}
	c := &all.groups[0]
	if err := of.addDoubt(t.Context(), env, c); err != nil {
		t.Fatal(err)
	}
	uses, calls := f.Uses, f.Calls
	for _, d := range c.defs {
		uses, calls = append(uses, g.uses[placeOf(d.Path, d.Line)]...), append(calls, g.calls[placeOf(d.Path, d.Line)]...)
	}
	listed, maybe, seen := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range c.sure {
		at := placeOf(s.Path, s.Line)
		right := slices.Contains(uses, at)
		if listed[at] || g.ungraded[at] && !right {
			continue
		}
		listed[at] = true
		if g.listed++; right {
			g.right++
		} else {
			t.Logf("not called: %s %s:%d at %s", f.Name, f.Path, f.Line, at)
		}
	}
	for _, s := range all.may {
		maybe[placeOf(s.Path, s.Line)] = true
	}
	for _, at := range calls {
		if seen[at] || isInside(c.defs, at) {
			continue
		}
		seen[at] = true
		switch g.calling++; {
		case listed[at]:
			g.found++
		case maybe[at]:
			g.maybe++
		default:
			t.Logf("missed: %s %s:%d at %s", f.Name, f.Path, f.Line, at)
		}
	}
	text := all.result(env, 1200).Summary
	outside := slices.ContainsFunc(calls, func(at string) bool {
		path, _, _ := strings.Cut(at, ":")
		return seen[at] && coderank.BucketOf(path, nil) != coderank.Test
	})
	denies := strings.Contains(text, "anywhere else in the tree") || strings.Contains(text, "Nothing in the tree names")
	deniesOutside := strings.Contains(text, "in tests alone") || strings.Contains(text, "by name outside of tests, but")
	if denies || deniesOutside {
		if g.denied++; denies && len(seen) > 0 || outside {
			g.deniedWrongly++
			t.Errorf("%s %s:%d is called at %v: %s", f.Name, f.Path, f.Line, calls, text)
		}
	}
}

// callersAt finds the callers of a function as a user asks for it: by its type and name, overloads
// together.
func callersAt(t *testing.T, env *catalog.Env, f *edgeFunction) (callerReport, *Uses) {
	t.Helper()
	search := func(targets []Target, err error) (callerReport, *Uses) {
		if err != nil {
			t.Fatal(err)
		}
		if len(targets) != 1 || targets[0].Name != f.Name {
			return callerReport{}, nil
		}
		u, err := FindUses(t.Context(), env, targets)
		if err != nil {
			t.Fatal(err)
		}
		out, err := u.findCallings(t.Context(), env, targets, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out, u
	}
	one, of := search(askedNames(t.Context(), env, CallersInput{Question: "who calls it?", References: []string{placeOf(f.Path, f.Line)}}))
	if len(one.groups) == 0 || len(one.groups[0].defs) == 0 {
		return one, of
	}
	own := source.LastIdentifier(one.groups[0].defs[0].Container)
	if own == "" {
		return one, of
	}
	all, ofName := search([]Target{targetOf(own + "." + f.Name)}, nil)
	for i := range all.groups {
		if slices.ContainsFunc(all.groups[i].defs, func(d rooted) bool { return d.Path == f.Path && d.Line == f.Line }) {
			all.groups[0], all.groups[i] = all.groups[i], all.groups[0]
			return all, ofName
		}
	}
	return one, of
}

// isInside reports whether a place is in one of the definitions, whose calls of themselves are not
// listed.
func isInside(defs []rooted, at string) bool {
	path, number, _ := strings.Cut(at, ":")
	line, _ := strconv.Atoi(number)
	return slices.ContainsFunc(defs, func(d rooted) bool { return path == d.Path && line >= d.Line && line <= d.EndLine })
}
