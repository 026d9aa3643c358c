package upstream

import (
	"slices"
	"strings"
	"testing"
)

// A traceback is read by its indentation.
func TestStderrKeepsItsIndentation(t *testing.T) {
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Env: map[string]string{"KEY": "s3cret-word"}}, Options{Start: startPiped(func(p *piped) {
		p.end("exit status 1", "Traceback:", `  File "x.py"`, "\tget( s3cret-word )\x1b ", strings.Repeat(" ", 10_000)+"deep", "   ", "    last words")
	})})
	_, err := s.About(t.Context())
	want := []string{"Traceback:", `  File "x.py"`, "    get( *** )", strings.Repeat(" ", maxIndent) + "deep", "", "    last words"}
	if got := s.Stderr(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if err == nil || !strings.HasSuffix(err.Error(), `its last line on stderr: "last words"`) {
		t.Error(err)
	}
}
