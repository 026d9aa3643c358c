package lazyregexp_test

import (
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// A package whose expression is wrong must fail in its own tests, also where none of them comes to use it.
func TestAWrongExpressionStopsTheTestsOfItsPackage(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was taken")
		}
	}()
	lazyregexp.New(`(`)
}

func TestManyMayUseAnExpressionAtOnce(t *testing.T) {
	re := lazyregexp.New(`^(\w+)=(\w+)$`)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if m := re.FindStringSubmatch("a=b"); len(m) != 3 || m[1] != "a" || m[2] != "b" {
				t.Errorf("found %q", m)
			}
		})
	}
	wait.Wait()
}

func TestAnExpressionIsLookedForWhereItsLiteralsAre(t *testing.T) {
	re := lazyregexp.Holding(`\b(\w+)(?:Error|Fault):`, "Error:", "Fault:")
	for s, want := range map[string]string{"a ParseError: b": "Parse", "PageFault: x": "Page", "an error": "", "": ""} {
		got := ""
		if m := re.FindStringSubmatch(s); m != nil {
			got = m[1]
		}
		if got != want || re.MatchString(s) != (want != "") {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if got := re.ReplaceAllString("as it was", "x"); got != "as it was" {
		t.Errorf("replaced to %q", got)
	}
}
