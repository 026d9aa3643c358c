package find

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// shortenInput shortens a user's text to at most 80 bytes for an error.
func shortenInput(s string) string { return contract.Shorten(s, 80) }

// noteList collects the notes of an answer, each once.
type noteList struct {
	said    []string
	partial bool // something was not searched or not shown
}

// add adds a note unless it is there already.
func (n *noteList) add(format string, args ...any) {
	n.said = source.AppendNew(n.said, fmt.Sprintf(format, args...))
}

// addCut adds a note on something that is missing.
func (n *noteList) addCut(format string, args ...any) {
	n.partial = true
	n.add(format, args...)
}

// addTimeCut notes that the scan was cut, also in the ledger. argument is the input that a caller
// narrows the scan with.
func (n *noteList) addTimeCut(env *catalog.Env, argument string) {
	env.Ledger.Cut("scan time")
	n.addCut("the time for scanning (%s) ended before every file was seen; name a directory in %s", env.Scan, argument)
}

func (n *noteList) String() string { return strings.Join(n.said, "; ") }

// clampLimit clamps a number that no schema has checked.
func clampLimit(n, low, high int) int { return max(low, min(n, high)) }

// bookQuote charges n bytes of a file to be quoted to the ledger. A refusal is not an error: the
// answer omits the quote and notes why.
func bookQuote(env *catalog.Env, ref string, n int, said *noteList, what string) bool {
	err := env.Ledger.Read(ref, int64(n))
	if err != nil {
		said.addCut("%s: %s", what, err.Error())
	}
	return err == nil
}
