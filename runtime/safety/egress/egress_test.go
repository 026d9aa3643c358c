package egress

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
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

// answer is a reply with an order of cutting of its own.
type answer struct {
	Text       string   `json:"text"`
	References []string `json:"references"`
	Extra      *extra   `json:"extra,omitempty"`
	Meta       counts   `json:"meta"`
}

type extra struct {
	References []string `json:"references"`
	Facts      []string `json:"facts"`
	Note       *string  `json:"note"`
}

type counts struct {
	Words   []string `json:"words"`
	Cut     []string `json:"cut,omitempty"`
	Dropped int      `json:"dropped,omitempty"`
	Masked  int      `json:"masked,omitempty"`
	Last    string   `json:"last"`
}

func answerType() *schema.Schema {
	s := schema.MustFromType(reflect.TypeFor[answer]())
	take := func(keep int, path ...string) schema.Take { return schema.Take{Path: path, Keep: keep} }
	s.Trim = &schema.Trim{
		Steps: []schema.Cut{
			{What: "facts", Takes: []schema.Take{take(1, "extra", "facts")}},
			{What: "words", Takes: []schema.Take{take(2, "meta", "words")}},
			{What: "note", Takes: []schema.Take{{Path: []string{"extra", "note"}, Away: true}}},
			{What: "text", Takes: []schema.Take{take(40, "text")}},
			{What: "extra", Takes: []schema.Take{{Path: []string{"extra"}, Away: true}}},
			{What: "rest", Takes: []schema.Take{take(0, "meta", "words"), take(0, "references"), take(0, "text")}},
		},
		Cut: []string{"meta", "cut"}, Dropped: []string{"meta", "dropped"}, Masked: []string{"meta", "masked"},
	}
	return s
}

// within is the type of what an expression puts around a value.
func within(name string, s *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: schema.Object, Fields: []schema.Field{{Name: name, Required: true, Schema: s}}}
}

func TestReferencesThatDoNotResolveAreDropped(t *testing.T) {
	refs := []string{"a.go:3", "a.go:4", "a.go", "dir/b.go:1", "dir/b.go:2", "gone.go:1", "../a.go:1", "/etc/passwd:1", "empty.txt", "empty.txt:1", "dir", "a.go:3:2", ""}
	want := []string{"a.go:3", "a.go", "dir/b.go:1", "empty.txt", "empty.txt:1", "dir", "a.go:3:2"}
	r := answer{References: refs, Extra: &extra{References: slices.Clone(refs)}}
	raw, err := New(redact.Default()).Apply(context.Background(), r, answerType(), fixture(t), 5000)
	if err != nil {
		t.Fatal(err)
	}
	var got answer
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.References, want) || !slices.Equal(got.Extra.References, want) {
		t.Errorf("kept %q and %q, want %q", got.References, got.Extra.References, want)
	}
	if n := 2 * (len(refs) - len(want)); got.Meta.Dropped != n {
		t.Errorf("counted %d dropped, want %d", got.Meta.Dropped, n)
	}
}

func TestSecretsDoNotPassAndReferencesDo(t *testing.T) {
	secret := "hunter22" + "hunter22"
	r := answer{Text: "It is postgres://app:" + secret + "@db/x.", References: []string{"a.go:3"}}
	raw, err := New(redact.Default()).Apply(context.Background(), r, answerType(), fixture(t), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), secret) {
		t.Errorf("the secret left: %s", raw)
	}
	for _, keep := range []string{`"a.go:3"`, `"masked":1,"last"`, "postgres://app:"} {
		if !strings.Contains(string(raw), keep) {
			t.Errorf("%s is missing in %s", keep, raw)
		}
	}
}

// TestCutsFollowTheType holds each step, what is noted of it, and that a value
// which an expression made or wrapped is cut as it is by itself.
func TestCutsFollowTheType(t *testing.T) {
	note := strings.Repeat("note ", 20)
	long := answer{Text: strings.Repeat("word ", 60), References: []string{"a.go:1", "a.go:2"}, Meta: counts{Words: strings.Fields("a b c d e"), Last: "x"},
		Extra: &extra{References: []string{}, Facts: []string{strings.Repeat("one ", 40), strings.Repeat("two ", 40), strings.Repeat("three ", 40)}, Note: &note}}
	for _, c := range []struct {
		max  int
		want string // of what was cut
	}{
		{1000, `"last"`},
		{200, `"cut":["facts"],"last"`},
		{160, `"cut":["facts","words","note"],"last"`},
		{130, `"cut":["facts","words","note","text"],"last"`},
		{60, `"cut":["facts","words","note","text","extra"],"last"`},
	} {
		raw := cutTo(t, long, answerType(), c.max)
		if n := tokens.Count(raw); n > c.max || !strings.Contains(raw, c.want) {
			t.Errorf("%d tokens of %d, want %s: %s", n, c.max, c.want, raw)
		}
		var plain any
		if err := json.Unmarshal([]byte(cutTo(t, long, nil, 5000)), &plain); err != nil {
			t.Fatal(err)
		}
		if again := cutTo(t, plain, answerType(), c.max); again != raw {
			t.Errorf("as a map it leaves as\n%s\nnot\n%s", again, raw)
		}
		around := tokens.Count(`{"whole":`+raw+`}`) - tokens.Count(raw)
		if in := cutTo(t, map[string]any{"whole": plain}, within("whole", answerType()), c.max+around); in != `{"whole":`+raw+`}` {
			t.Errorf("in an expression it leaves as\n%s\nnot\n%s", in, raw)
		}
	}
}

func cutTo(t *testing.T, v any, typ *schema.Schema, max int) string {
	t.Helper()
	raw, err := New(redact.Default()).Apply(context.Background(), v, typ, fixture(t), max)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Two values side by side lose step by step in turn: neither is cut to the bone
// while the other is whole.
func TestTwoValuesAreCutInTurn(t *testing.T) {
	one := answer{Text: strings.Repeat("word ", 60), References: []string{}, Meta: counts{Words: strings.Fields("a b c d e f g h")}}
	typ := &schema.Schema{Type: schema.Object, Fields: append(within("a", answerType()).Fields, within("b", answerType()).Fields...)}
	raw := cutTo(t, map[string]any{"a": one, "b": one}, typ, 170)
	if strings.Count(raw, `"cut":["words"`) != 2 {
		t.Errorf("cut is %s", raw)
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
	raw, err := New(redact.Default()).Apply(context.Background(), in, nil, fixture(t), 400)
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
	raw, err := New(redact.Default()).Apply(context.Background(), v, nil, fixture(t), 100)
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
		raw, err := rawjson.Marshal(json.RawMessage(raw))
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
