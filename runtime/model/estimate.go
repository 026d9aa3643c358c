package model

import "github.com/compactor-mcp/compactor/runtime/base/tokens"

// Upper limits of what a chat template adds to each message and to the whole: role
// names, turn marks, the start of the reply.
const (
	perMessage = 12
	perRequest = 16
)

// EstimateRequest returns the Estimate of everything in a prompt, including what the
// chat template adds.
func EstimateRequest(req Request) int {
	n := perRequest
	for _, m := range req.Messages {
		n += perMessage + Estimate(m.Content)
		for _, c := range m.Calls {
			n += perMessage + Estimate(c.Name) + Estimate(c.Arguments)
		}
	}
	for _, t := range req.Tools { // templates repeat names and add markup
		n += 2*perMessage + Estimate(t.Name) + Estimate(t.Description) + Estimate(string(t.Parameters))
	}
	return n
}

// Estimate returns how many tokens a text may have in the vocabularies of small models.
// They know fewer words than o200k, split numbers into digits, spell CONSTANTS in pairs
// of letters, split names before a capital, and split a word with accents. TestEstimate
// compares it with the counts of two such models. It is not an upper bound: prose
// without accents in a language other than English may have more, which a Limiter
// learns from the server's own counts.
func Estimate(text string) int {
	var digits, capitals, joints, accents, foreign int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
		case isUpper(c) && i > 0 && (isUpper(text[i-1]) || text[i-1] == '_'):
			capitals++
		case isUpper(c) && i > 0 && isLower(text[i-1]):
			joints++
		case c >= 0xC3 && c <= 0xC5: // begins a Latin letter with an accent
			accents++
		case c >= 0x80:
			foreign++
		}
	}
	return (tokens.Count(text)*15+digits*7+capitals*4+joints*3+accents*25+foreign*6)/10 + 1
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
