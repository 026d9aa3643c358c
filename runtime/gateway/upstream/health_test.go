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
	if got := s.Said(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if err == nil || !strings.HasSuffix(err.Error(), `last line on stderr: "last words"`) {
		t.Error(err)
	}
}

// Who starts a program by hand sees what it is about.
func TestAProgramThatEndsWithoutAReasonIsToBeRunByHand(t *testing.T) {
	for _, c := range []struct {
		exit, last string
		hint       bool
	}{
		{"it exited with status 0", "", true},
		{"it exited with status 0", "bye", true},
		{"it exited with status 10", "", true},
		{"it exited with status 10", "no such module", false},
	} {
		spec := Spec{Command: "pipe", Args: []string{unique(t)}, Typed: "node 'a b.js' --key s3cret-word", Secrets: []string{"s3cret-word"}}
		s := newServer(t, spec, Options{Start: startPiped(func(p *piped) { p.end(c.exit, c.last) })})
		_, err := s.About(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the program ended ("+c.exit+")") ||
			strings.HasSuffix(err.Error(), "; run it by hand to see what it does: node 'a b.js' --key ***") != c.hint {
			t.Errorf("%s, %q: %v", c.exit, c.last, err)
		}
	}
}
