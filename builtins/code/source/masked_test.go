package source

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
)

// A large file is masked in parts; a secret across their border is found from
// both sides, and what nobody asked for is neither masked nor shown.
func TestPageMasksLargeFilesInParts(t *testing.T) {
	var b strings.Builder
	for n := 1; b.Len() < 3*partSize; n++ {
		fmt.Fprintf(&b, "line %d %s\n", n, strings.Repeat("x", 80))
	}
	lines := textLines(b.String())
	parts := partsOf(lines)
	if len(parts) < 3 {
		t.Fatalf("%d parts, want 3 or more", len(parts))
	}
	border := parts[0].to                                                            // the first line of the second part, counted from 0
	pad := func(s string, n int) string { return s + strings.Repeat("x", n-len(s)) } // the border stays where it is
	lines[border-2] = pad("BEGIN KEY", len(lines[border-2]))
	lines[border+1] = strings.Repeat("x", len(lines[border+1])-len("END KEY")) + "END KEY"
	env := codetest.NewEnv(t, map[string]string{"a.txt": strings.Join(lines, "\n")})
	asked := 0
	counting := func(s string) string { asked += len(s); return codetest.MaskWord(s) }

	root := env.Roots.Roots()[0]
	p, err := OpenMasked(t.Context(), env, root, "a.txt", counting)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Mask(t.Context(), border+1, border+1); err != nil {
		t.Fatal(err)
	}
	if got := p.Line(border + 1); got != "" {
		t.Errorf("the secret behind the border: %q", got)
	}
	if got, want := p.Line(border+3), lines[border+2]; got != want {
		t.Errorf("line after the secret: %q, want %q", got, want)
	}
	if got := p.Line(border); got != "" || p.parts[0].done {
		t.Errorf("a line that was not asked for: %q", got)
	}
	if asked > partSize+2*margin+1000 {
		t.Errorf("%d bytes masked to show one line", asked)
	}
	if err := p.Mask(t.Context(), border-1, border); err != nil {
		t.Fatal(err)
	}
	if p.Line(border-1) != "[REDACTED:key]" || p.Line(border) != "" {
		t.Errorf("the secret before the border: %q, %q", p.Line(border-1), p.Line(border))
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Mask(ctx, 1, len(p.Raw)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}
