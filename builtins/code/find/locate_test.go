package find

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// What the scan did not come to is not said to be absent.
func TestLocateWithoutTimeForTheScan(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	env.Scan = time.Nanosecond
	r := codetest.MustCall[contract.Result](t, Locate(), env, map[string]any{"question": "where is the worker pool closed?"})
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
		f    Ranking
		want string
	}{
		{Ranking{files: 2, Result: coderank.Result{NotFound: "no file holds a word of the question"}}, "Not found: no file holds a word of the question."},
		{Ranking{files: 1200, cut: true, budget: 10 * time.Second, Result: coderank.Result{NotFound: "`X` occurs nowhere in the files searched"}},
			"Not known: the scan was cut after 1200 files, 10s being over, and nothing in these fits (`X` occurs nowhere in the files searched); "},
	} {
		if got := NotFoundResult(c.f).Summary; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestFrameOfAnotherVersion leads a frame whose line is elsewhere by now to the
// function that it names.
func TestFrameOfAnotherVersion(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"shop/retry.py": "import time\n\n\ndef wait_for(delay):\n    time.sleep(delay)\n\n\ndef again(n):\n    x = n\n    y = n\n    wait_for(n)\n"})
	for line, want := range map[int]string{5: "shop/retry.py:5", 10: "shop/retry.py:4", 9999: "shop/retry.py:4"} {
		q := fmt.Sprintf("Traceback (most recent call last):\n  File \"/srv/shop/retry.py\", line %d, in wait_for\n    sleep(delay)\nValueError: negative", line)
		r := codetest.MustCall[contract.Result](t, Locate(), env, map[string]any{"question": q})
		if len(r.References) == 0 || r.References[0] != want {
			t.Errorf("line %d leads to %v, want %s first", line, r.References, want)
		}
	}
}
