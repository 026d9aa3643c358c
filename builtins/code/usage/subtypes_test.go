package usage

import (
	"slices"
	"strings"
	"testing"
)

func TestSupertypeNames(t *testing.T) {
	for sig, want := range map[string]string{
		"class A(B, c.D)":                         "B D",
		"public class A extends B implements C":   "B C",
		"class A : public B, private C":           "B C",
		"class A < Base::B":                       "B",
		"class A(val x: Int) : B(x), C":           "B C",
		"class Plain":                             "",
		"class A extends B<C> implements D<E, F>": "B D",
	} {
		if got := SupertypeNames(sig); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: got %v, want %s", sig, got, want)
		}
	}
}
