package code

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/runtime/contract"
)

// What the scan did not come to is not said to be absent.
func TestLocateWithoutTimeForTheScan(t *testing.T) {
	env := tree(t, fixture)
	env.Scan = time.Nanosecond
	r := must[contract.Result](t, Locate(), env, map[string]any{"question": "where is the worker pool closed?"})
	if len(r.References) > 0 || r.Confidence != contract.Low || !slices.Contains(env.Ledger.Usage().Hit, "scan time") {
		t.Errorf("%+v, hit %v", r, env.Ledger.Usage().Hit)
	}
	if want := "Not known: the scan was cut, 1ns being over before a file was read; ask about a smaller root, or raise sandbox.scan_time"; !strings.HasPrefix(r.Summary, want) {
		t.Errorf("%q, want %q", r.Summary, want)
	}
	if strings.Contains(r.Summary, "there is no file") {
		t.Errorf("%q", r.Summary)
	}
}

// A scan that was cut half-way says how far it came.
func TestAbsentInAPart(t *testing.T) {
	for _, c := range []struct {
		f    found
		want string
	}{
		{found{files: 2, Result: rank.Result{NotFound: "no file holds a word of the question"}}, "Not found: no file holds a word of the question."},
		{found{files: 1200, cut: true, budget: 10 * time.Second, Result: rank.Result{NotFound: "`X` occurs nowhere in the files searched"}},
			"Not known: the scan was cut after 1200 files, 10s being over, and nothing in these fits (`X` occurs nowhere in the files searched); "},
	} {
		if got := absent(c.f).Summary; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
