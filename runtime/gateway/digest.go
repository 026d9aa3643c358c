package gateway

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Digest describes the servers in at most limit tokens: each server with its subject, in as many phrases as fit, or
// only its name if there are many. The servers are ordered by name, so that the text changes only when they do. Servers
// that do not fit are counted.
//
// A server that waits for its user's permission is not named: its name was chosen by the project that declares it.
func (g *Gateway) Digest(limit int) string {
	c := *g.catalog.Load()
	c.servers = slices.DeleteFunc(slices.Clone(c.servers), func(s catalog.UpstreamServer) bool {
		e := g.entry(s.Name)
		return e != nil && !g.isAllowed(e.config())
	})
	for _, m := range manners {
		if text := c.digestIn(m, len(c.servers)); fitsTokens(text, limit) {
			return text
		}
	}
	tooMany := func(n int) bool { return !fitsTokens(c.digestIn(justNames, n+1), limit) }
	if n := sort.Search(len(c.servers), tooMany); n > 0 {
		return c.digestIn(justNames, n)
	}
	return fmt.Sprintf("%d servers", len(c.servers))
}

// terms say how much is said of each server: the number of phrases, the words of each, and whether its tools are
// counted.
type terms struct {
	phrases, words int
	counted        bool
}

// manners are the levels of detail, the longest first.
var manners = []terms{{3, phraseWords, true}, {2, phraseWords, true}, {2, 3, false}, {1, phraseWords, false}, {1, 3, false}, {1, 2, false}, {1, 1, false}}

// justNames omits even the number of tools.
var justNames = terms{}

// fitsTokens reports whether a text has at most limit tokens. Of a text that is far too long only the start is counted.
func fitsTokens(text string, limit int) bool {
	const most = 16 // bytes; few tokens are longer
	if len(text) > most*limit && tokens.Count(text[:most*limit]) > limit {
		return false
	}
	return tokens.Count(text) <= limit
}

// digestIn returns the digest of the first servers.
func (c *Catalog) digestIn(m terms, servers int) string {
	var parts []string
	for _, s := range c.servers[:servers] {
		if s.Known && s.Tools == 0 {
			continue
		}
		part := s.Name
		if s.Known && m.counted {
			part += fmt.Sprintf(" (%d)", s.Tools)
		}
		if about := c.subject(s, m); about != "" {
			part += ": " + about
		}
		parts = append(parts, part)
	}
	between := "; "
	if m.phrases <= 0 {
		between = ", "
	}
	text := strings.Join(parts, between)
	if rest := len(c.servers) - servers; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// doing are the words of tool names that name an action, not its object.
var doing = wordSet("get list create add update delete remove search find read write set run call tool make fetch send check open " +
	"close start stop new all by for from the and with into multi multiple single use show edit move copy put post " +
	"retrieve patch download convert execute apply generate deploy merge navigate click take reset restore pause describe append resolve scrape " +
	"extract emulate resize fill press select export import record handle upload wait")

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// nameWords splits a name in snake_case, kebab-case or camelCase into words, in lower case and without a plural s.
func nameWords(name string) []string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteRune(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	words := strings.Fields(b.String())
	for i, w := range words {
		switch {
		case len(w) > 4 && strings.HasSuffix(w, "ies"):
			words[i] = strings.TrimSuffix(w, "ies") + "y"
		case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return words
}

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	if len(words) <= n {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:n], " ") + "…"
}
