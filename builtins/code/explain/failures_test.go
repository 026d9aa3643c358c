package explain

import (
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/usage"
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
		if got := failureOf(usage.BlankNonCode("go", c.line), c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
