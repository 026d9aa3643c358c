package task

import (
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

const confirmRules = fence.Rule + "\n" + objectRules

const askConfirm = `Does the text above show that this sentence is true? Answer false where the text does not say so.
Form: {"holds": true}`

// confirmTask returns the task for a second look: does a text show that a sentence is true,
// yes or no. An unusable reply counts as no.
func confirmTask() Task {
	in := object(
		required("claim", &schema.Schema{Type: schema.String, Doc: "one sentence"}),
		required("text", &schema.Schema{Type: schema.String, Doc: "what must show it"}))
	out := object(required("holds", &schema.Schema{Type: schema.Boolean, Doc: "the text shows it"}))
	return Task{Name: "confirm", Kind: "verification", Doc: "say whether a text shows that a sentence is true", In: in, Out: out, Asked: "claim",
		Rules: confirmRules, TokensIn: 1200, TokensOut: confirmOut, Form: &Form{
			Put: func(c *Case, room int) Question {
				text, _ := c.Input["text"].(string)
				return Confirmation(c.Question, text, room)
			},
			Apply: func(c *Case, _ Question, reply map[string]any) (map[string]any, int, bool) {
				return c.fit(map[string]any{"holds": Confirmed(reply)}, out, 0, true)
			},
		}}
}

// confirmOut limits the tokens of a yes or no, including braces and whatever a model puts around them.
const confirmOut = 60

// Confirmation asks, in about room tokens, whether a text shows a claim.
func Confirmation(claim, text string, room int) Question {
	claim = Shortened(claim, room/4)
	shown := Shortened(text, room-Roughly(claim, askConfirm, confirmRules))
	return Question{Text: "Text:\n" + fence.Wrap(shown, claim) + "\n\nSentence: " + claim + "\n\n" + askConfirm, Shown: shown,
		Shape: object(required("holds", &schema.Schema{Type: schema.Boolean}))}
}

// Confirmed reads the reply to a Confirmation.
func Confirmed(reply map[string]any) bool {
	holds, _ := reply["holds"].(bool)
	return holds
}
