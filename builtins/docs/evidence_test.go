package docs

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// TestPassagesFit says that passages are cut to the tokens there are, in scripts whose
// characters take several tokens too.
func TestPassagesFit(t *testing.T) {
	const most = 100
	for name, text := range map[string]string{
		"words":   strings.Repeat("a pool keeps its workers. ", 100),
		"chinese": strings.Repeat("連線逾時後，伺服器會關閉連線。", 100),
		"no end":  strings.Repeat("龘靐齉爩", 300),
		"emoji":   strings.Repeat("🦜🧶", 300),
		"digits":  strings.Repeat("8f3a", 400),
	} {
		got := numberPassages([]answer.Passage{{URI: "a.md", Text: text}, {URI: "b.md", Text: text}}, most)
		least := most / 2
		if name == "no end" { // of three tokens a character, one in three bytes
			least = most / 8
		}
		if n := tokens.Count(got); n > most+5 || n < least || !strings.HasPrefix(got, "[1] a.md\n") {
			t.Errorf("%s: %d tokens of %d: %.80s", name, n, most, got)
		}
	}
}
