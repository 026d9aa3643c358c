package egress

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/redact"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// fixture is a root with a.go (3 lines) and dir/b.go (1 line).
func fixture(t testing.TB) *sandbox.Set {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nfunc A() {}\n", "dir/b.go": "package b", "empty.txt": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := sandbox.OpenRoot("src", dir, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return sandbox.NewSet(root)
}

func TestReferencesThatDoNotResolveAreDropped(t *testing.T) {
	refs := []string{"a.go:3", "a.go:4", "a.go", "dir/b.go:1", "dir/b.go:2", "gone.go:1", "../a.go:1", "/etc/passwd:1", "empty.txt", "empty.txt:1", "dir", "a.go:3:2", ""}
	want := []string{"a.go:3", "a.go", "dir/b.go:1", "empty.txt", "empty.txt:1", "dir", "a.go:3:2"}
	r := contract.Report{Question: "q", References: refs, RootsSearched: []string{"/src"},
		Locator: contract.Succeeded(contract.Result{Summary: "s", References: slices.Clone(refs), KeyFindings: []string{}, Confidence: contract.High}, contract.Timing{})}
	raw, err := New(redact.Default()).Out(context.Background(), r, fixture(t), 5000)
	if err != nil {
		t.Fatal(err)
	}
	var got contract.Report
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.References, want) || !slices.Equal(got.Locator.Value.References, want) {
		t.Errorf("kept %q and %q, want %q", got.References, got.Locator.Value.References, want)
	}
	if n := 2 * (len(refs) - len(want)); got.Meta.Dropped != n {
		t.Errorf("counted %d dropped, want %d", got.Meta.Dropped, n)
	}
}

func TestSecretsDoNotPassAndReferencesDo(t *testing.T) {
	secret := "hunter22" + "hunter22"
	r := contract.Report{Question: "what is postgres://app:" + secret + "@db/x?", Answer: "It is postgres://app:" + secret + "@db/x.",
		References: []string{"a.go:3"}, RootsSearched: []string{"/src"},
		Locator: contract.Succeeded(contract.NotFound("none"), contract.Timing{})}
	raw, err := New(redact.Default()).Out(context.Background(), r, fixture(t), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), secret) {
		t.Errorf("the secret left: %s", raw)
	}
	for _, keep := range []string{`"a.go:3"`, `"redacted":2`, "postgres://app:"} {
		if !strings.Contains(string(raw), keep) {
			t.Errorf("%s is missing in %s", keep, raw)
		}
	}
}

// TestEveryReportFits draws reports of all sizes and budgets of all sizes.
func TestEveryReportFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	words := strings.Fields("the quick worker pool opens runtime/engine/pool.go:41 under `admit` größer 工作池 {\"x\":1} 0xdeadbeef")
	text := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n + 1) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		return b.String()
	}
	listOf := func(n, size int) []string {
		out := []string{}
		for range rng.IntN(n + 1) {
			out = append(out, text(size))
		}
		return out
	}
	result := func() contract.Result {
		r := contract.Result{Summary: text(80), KeyFindings: listOf(12, 40), Confidence: contract.Med, References: []string{}}
		for i := range rng.IntN(20) {
			r.References = append(r.References, fmt.Sprintf("some/long/path/to/a/file%d.go:%d", i, rng.IntN(5000)))
		}
		if rng.IntN(2) == 0 {
			r.Note(text(40))
		}
		return r
	}
	for range 60 {
		one := contract.Succeeded(result(), contract.Timing{})
		two := contract.Outcome[contract.Result]{Status: contract.Failed, Error: &contract.Error{Code: "INTERNAL", Message: text(20)}}
		r := contract.Report{Question: text(600), Answer: text(300), References: result().References, RootsSearched: []string{"/home/someone/src/project"},
			Locator: contract.Succeeded(result(), contract.Timing{}), Analyzer: &one, Patterns: &two,
			Meta: contract.Meta{Keywords: listOf(8, 1), RolesRun: []string{"locator", "analyzer"}}}
		budget := 200 + rng.IntN(1500)
		fit(&r, budget)
		raw, err := marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if n := tokens.Count(string(raw)); n > budget {
			t.Fatalf("%d tokens of %d: %s", n, budget, raw)
		}
	}
}

func TestCutsAreNoted(t *testing.T) {
	r := contract.Report{Question: "q", Answer: strings.Repeat("word ", 100), RootsSearched: []string{"/src"},
		Locator: contract.Succeeded(contract.Result{Summary: "s", KeyFindings: []string{strings.Repeat("finding ", 50), strings.Repeat("other ", 50), strings.Repeat("third ", 50)},
			References: []string{}, Confidence: contract.High}, contract.Timing{})}
	fit(&r, 300)
	if !slices.Contains(r.Meta.Truncations, "locator findings") {
		t.Errorf("truncations %q", r.Meta.Truncations)
	}
}

func TestOtherRepliesLoseTheEndsOfTheirLists(t *testing.T) {
	type reply struct {
		Matches   []string `json:"matches"`
		Total     int      `json:"total"`
		Truncated bool     `json:"truncated"`
	}
	in := reply{Total: 500}
	for i := range 500 {
		in.Matches = append(in.Matches, fmt.Sprintf("a.go:%d func something()", i))
	}
	raw, err := New(redact.Default()).Out(context.Background(), in, fixture(t), 400)
	if err != nil {
		t.Fatal(err)
	}
	var out reply
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	if n := tokens.Count(string(raw)); n > 400 || len(out.Matches) < 10 || !out.Truncated || out.Total != 500 {
		t.Errorf("%d tokens, %d matches, truncated %v, total %d", n, len(out.Matches), out.Truncated, out.Total)
	}
	if out.Matches[0] != in.Matches[0] {
		t.Errorf("the best match is gone, the first is %q", out.Matches[0])
	}
}

func TestKeysKeepTheirOrder(t *testing.T) {
	v := json.RawMessage(`{"z":1,"a":{"y":"<b>","b":null},"m":[1e400,true]}`)
	raw, err := New(redact.Default()).Out(context.Background(), v, fixture(t), 100)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw) != string(v) {
		t.Errorf("%s became %s", v, raw)
	}
}

func FuzzNode(f *testing.F) {
	for _, s := range []string{`{}`, `[1,"a",null]`, `{"references":["a.go:1",2]}`, `"x"`, `{"a":{"a":[[]]}}`, `[true,-1.5e+300,{}]`,
		`{"\u0061\n":"\"\\","ü\u2028":"\ud800 <&>"}`, "[\"\xff\"]", `[]`, `12345678901234567890`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			t.Skip()
		}
		raw, err := marshal(json.RawMessage(raw))
		if err != nil {
			t.Skip() // nested deeper than can be written
		}
		n, err := parse(raw)
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if out := n.json(); !reflect.DeepEqual(decoded(t, out), decoded(t, raw)) {
			t.Errorf("%q became %q", raw, out)
		}
		if out := shrink(n, 50); !json.Valid(out) {
			t.Errorf("%q shrank to %q", raw, out)
		}
	})
}

// decoded keeps numbers as they are written.
func decoded(t *testing.T, raw []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	return v
}
