package explain

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

func TestFailureOfALine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"raise ValueError(x)", "ValueError"},
		{"throw new IOException(m)", "IOException"},
		{"return nil, ErrClosed", "ErrClosed"},
		{"return io.ErrClosed", "io.ErrClosed"},
		{"return Stats{}, errTooOld", "errTooOld"},
		{"throw ParseError", "ParseError"},
		{"throw ctxt.weirdStringException(v)", "ctxt.weirdStringException"},
		{"throw new FST_ERR_CTP_BODY_TOO_LARGE()", "FST_ERR_CTP_BODY_TOO_LARGE"},
		{"raise self.MaxRetriesExceededError(", "self.MaxRetriesExceededError"},
		{"raise Reject", "Reject"},
		{"raise exc", ""},
		{"throw e;", ""},
		{"return Err(Error::Closed)", "Error::Closed"},
		{`panic("no such state")`, "no such state"},
		{`panic!("cannot block")`, "cannot block"},
		{`return errors.New("closed twice")`, "closed twice"},
		{`return fmt.Errorf("read %s: %w", p, err)`, "read %s: %w"},
		{"return err", ""},
		{"return terror", ""},
		{`log("raise ValueError")`, ""},
	} {
		if got := failureOf(blankNonCode("go", c.line), c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestBlankNonCode(t *testing.T) {
	for _, c := range []struct {
		lang symbols.Lang
		body string
		want string // without blanks
	}{
		{symbols.Python, "def send(self):\n\t\"\"\"\n\tBuild one with `build()`.\n\t\"\"\"\n\t# as check() says\n\treturn self.go('see other()')\n", "def send(self): return self.go( )"},
		{symbols.Go, "func send() {\n\t// as check() says\n\t/* build() */\n\tgo_(\"see other()\", `raw()`)\n}\n", "func send() { go_( , ) }"},
	} {
		got := blankNonCode(c.lang, c.body)
		if len(got) != len(c.body) || strings.Join(strings.Fields(got), " ") != c.want {
			t.Errorf("%v: %q, want %q", c.lang, strings.Join(strings.Fields(got), " "), c.want)
		}
	}
}
