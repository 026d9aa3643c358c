package reply

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply/replytest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// words and verdict are what the recorded replies were asked for, besides
// choose.
var (
	words = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "words", Required: true, Schema: &schema.Schema{Type: schema.Array, MaxLen: ptr(6), Items: &schema.Schema{Type: schema.String, MinLen: ptr(1), MaxLen: ptr(40)}}},
		{Name: "questions", Schema: &schema.Schema{Type: schema.Array, MaxLen: ptr(2), Items: &schema.Schema{Type: schema.String}}},
	}}
	verdict = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "reason", Required: true, Schema: &schema.Schema{Type: schema.String, MaxLen: ptr(80)}},
		{Name: "verdict", Required: true, Schema: &schema.Schema{Type: schema.String, Enum: []any{"yes", "no", "unsure"}}},
		{Name: "confidence", Schema: &schema.Schema{Type: schema.Integer, Min: ptr(1.0), Max: ptr(5.0)}},
	}}
	asked = map[string]*schema.Schema{"choose": choose, "words": words, "verdict": verdict}
)

// TestRecorded shows what is made of each recorded reply.
func TestRecorded(t *testing.T) {
	var b bytes.Buffer
	for i, r := range replytest.Replies() {
		fmt.Fprintf(&b, "%d %s, temperature %d, %s, %s\n", i+1, r.Model, r.Temperature, r.Kind, r.Finish)
		if r.Kind == "call" {
			f := FindCalls(r.Text, tools)
			fmt.Fprintf(&b, "\tcalls %s", marshal(t, f.Calls))
			if len(f.Unknown) > 0 {
				fmt.Fprintf(&b, ", unknown %q", f.Unknown)
			}
			b.WriteString("\n")
			continue
		}
		got, err := Read(r.Text, asked[r.Kind])
		if err != nil {
			fmt.Fprintf(&b, "\t%v\n", err)
			continue
		}
		if wrong := keeps(got.Value, asked[r.Kind]); wrong != nil {
			t.Errorf("reply %d: %v", i+1, wrong)
		}
		fmt.Fprintf(&b, "\t%s, dropped %d, cut %v: %s\n", got.Rung, got.Dropped, got.Cut, marshal(t, got.Value))
	}
	golden := filepath.Join("testdata", "recorded.golden")
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Error(d)
	}
}

func TestMalformed(t *testing.T) {
	rungs := map[Rung]int{}
	for i, s := range replytest.Malformed(1, 10_000) {
		name := []string{"choose", "words", "verdict"}[i%3]
		want := asked[name]
		v, rung, err := JSON(s, want)
		if err == nil {
			err = keeps(v, want)
			rungs[rung]++
		} else if m, ok := err.(*Mismatch); ok && m.Error() != "" && !strings.Contains(m.Error(), "\n") {
			err = nil
			rungs["mismatch"]++
		}
		if err != nil {
			t.Fatalf("%s of %q: %v", name, s, err)
		}

		Calls(s, tools)
	}
	for _, r := range []Rung{Stripped, Mended, Fitted, "mismatch"} {
		if rungs[r] == 0 {
			t.Errorf("none of the replies is %s: %v", r, rungs)
		}
	}
	t.Log(rungs)
}

func TestMalformedIsOfItsSeed(t *testing.T) {
	a, b, c := replytest.Malformed(7, 50), replytest.Malformed(7, 50), replytest.Malformed(8, 50)
	if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
		t.Error("replies do not follow from the seed alone")
	}
}
