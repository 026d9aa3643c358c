package sanitize

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// reserved are the texts that the chat templates of the usual models reserve. Nothing else writes them.
var reserved = []string{
	`<\|[^\n]{0,60}?\|>`, `<｜[^\n]{0,60}?｜>`, // ChatML, Llama 3, Phi, harmony; DeepSeek
	`</?s>`, `<</?SYS>>`, `\[/?INST\]`, // Llama 2, Mistral
	`\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_REQUEST|END_TOOL_REQUEST|TOOL_CONTENT|SYSTEM_PROMPT|THINK|IMG)\]`,
	`<(?:start|end)_of_(?:turn|image)>`, `<(?:bos|eos|pad|unk|mask)>`, `<unused\d+>`, `<extra_id_\d+>`, // Gemma, T5
	`</?(?:think|tool_call|tool_calls|tool_response|function_call|function_calls|im_start|im_end)>`, // Qwen, Hermes
}

// spoken are texts that mean something to a model in a prompt, but may well occur in ordinary files.
var spoken = []string{
	`</?(?:think|thinking|thought|reasoning|tool_call|tool_calls|tool_response|tools|function_call|function_calls|invoke|parameter|system|assistant|user|im_start|im_end)\b[^>\n]{0,40}>`,
	`<function=[^>\n]{0,60}>`, `</function>`,
	`(?m)^[ \t]*#{1,4} ?(?:System|Instruction|Instructions|Assistant|User|Human|Response):`, // Alpaca, Vicuna
	`(?m)^[ \t]*(?-i:System|Assistant|Human|User):`,
}

var (
	tokens  = lazyregexp.New(`(?i)` + strings.Join(reserved, "|"))
	special = lazyregexp.New(`(?i)` + strings.Join(append(reserved[:len(reserved):len(reserved)], spoken...), "|"))
	// ownMark matches a mark that prompts put around data, or text that looks like one.
	ownMark = lazyregexp.New(`DATA ([0-9a-f]{8})`)
)

// Text returns quoted text for a client or a person: without what Strip removes, and with the tokens of chat templates
// broken by a space after their first character, which leaves them readable. Lines and other markup stay unchanged.
func Text(text string) string {
	text = Strip(text)
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	return breakTokens(text, tokens)
}

// Neutral returns text for a prompt: as Text does, and nothing in it opens a turn, a call or a thought in the formats
// that models are trained on, or looks like a mark around data.
func Neutral(text string) string {
	return breakTokens(ownMark.ReplaceAllString(Strip(text), "DATA_$1"), special)
}

// breakTokens breaks the tokens that the expression of matches.
func breakTokens(text string, of *lazyregexp.Regexp) string {
	for range 4 { // breaking one may form another with the text around it
		if !of.MatchString(text) {
			return text
		}
		text = of.ReplaceAllStringFunc(text, func(token string) string {
			indent := token[:len(token)-len(strings.TrimLeft(token, " \t"))]
			_, size := utf8.DecodeRuneInString(token[len(indent):])
			first, rest := token[len(indent):][:size], token[len(indent):][size:]
			return indent + first + " " + strings.NewReplacer("|>", "| >", "｜>", "｜ >").Replace(rest)
		})
	}
	return of.ReplaceAllStringFunc(text, func(token string) string { return strings.Repeat("-", len(token)) })
}
