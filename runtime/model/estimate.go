package model

import "compactor/runtime/tokens"

// What a chat template adds to each message and to the whole, at most: role
// names, turn marks, the start of the reply.
const (
	perMessage = 12
	perRequest = 16
)

// EstimateRequest is how many tokens a prompt has at most, whatever the model's
// vocabulary.
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

// Estimate is how many tokens a text has at most in the vocabularies of small
// models. They know fewer words than o200k, split numbers into digits, spell
// CONSTANTS in pairs of letters and what is not ASCII in bytes. Over 700 pieces
// of source files of 24 projects the counts of Gemma 3 and SmolLM2 were .82 of
// it in the median and never above it; TestEstimate holds it against both.
func Estimate(text string) int {
	var digits, capitals, foreign int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z' && i > 0 && (isUpper(text[i-1]) || text[i-1] == '_'):
			capitals++
		case c >= 0x80:
			foreign++
		}
	}
	return (tokens.Count(text)*15+digits*7+capitals*4+foreign*5)/10 + 1
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
