package commitbench

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

func TestRightLines(t *testing.T) {
	src := []byte(strings.Repeat("x\n", 60))
	defs := []Definition{
		{Name: "module", Line: 1, End: 60, Outer: true},
		{Name: "limit", Line: 3, End: 3},
		{Name: "Pool", Line: 10, End: 40, Holds: true, Asked: true},
		{Name: "size", Line: 12, End: 12},
		{Name: "Get", Line: 15, End: 20, Asked: true},
		{Name: "Put", Line: 25, End: 35, Asked: true},
		{Name: "inner", Line: 28, End: 30, Asked: true},
	}
	for _, c := range []struct {
		name string
		hunk githistory.Hunk
		want []eval.Range
	}{
		{"a method", githistory.Hunk{Line: 17, Removed: 1, Added: 1}, []eval.Range{{15, 20}}},
		{"inserted into a method", githistory.Hunk{Line: 16, Added: 4}, []eval.Range{{15, 20}}},
		{"a field: the type without its methods", githistory.Hunk{Line: 12, Removed: 1}, []eval.Range{{10, 14}, {21, 24}, {36, 40}}},
		{"a function in a method, and where that begins", githistory.Hunk{Line: 29, Removed: 1}, []eval.Range{{25, 25}, {28, 30}}},
		{"outside of all", githistory.Hunk{Line: 50, Removed: 2}, []eval.Range{{47, 54}}},
		{"a constant at the top", githistory.Hunk{Line: 3, Removed: 1}, []eval.Range{{1, 6}}},
		{"inserted at the very top", githistory.Hunk{Line: 0, Added: 2}, []eval.Range{{1, 4}}},
		{"over the end", githistory.Hunk{Line: 60, Added: 9}, []eval.Range{{57, 61}}},
		{"two methods", githistory.Hunk{Line: 20, Removed: 6}, []eval.Range{{10, 27}, {31, 40}}},
	} {
		got := touchedLines(src, defs, []githistory.Hunk{c.hunk})
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

func TestNamesAreHalved(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"NewWorkerPool", "ParseHeaderLine", "NewWorkerHeaderLine"},
		{"open_file_handle", "read_line", "open_file_line"},
		{"HTTPServer", "ParseHeader", "HTTPHeader"},
		{"Pool", "ParseHeader", ""},
		{"NewPool", "parse_header", ""},
		{"NewPool", "parseHeader", ""},
	} {
		if got := joinHalves(c.a, c.b); got != c.want {
			t.Errorf("%s and %s give %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
