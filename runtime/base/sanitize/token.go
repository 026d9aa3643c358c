package sanitize

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// reserved are the texts that the chat templates of the usual models keep for themselves. Nobody else writes them.
var reserved = []string{
	`<\|[^\n]{0,60}?\|>`, `<｜[^\n]{0,60}?｜>`, // ChatML, Llama 3, Phi, harmony; DeepSeek
	`</?s>`, `<</?SYS>>`, `\[/?INST\]`, // Llama 2, Mistral
	`\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_REQUEST|END_TOOL_REQUEST|TOOL_CONTENT|SYSTEM_PROMPT|THINK|IMG)\]`,
	`<(?:start|end)_of_(?:turn|image)>`, `<(?:bos|eos|pad|unk|mask)>`, `<unused\d+>`, `<extra_id_\d+>`, // Gemma, T5
	`</?(?:think|tool_call|tool_calls|tool_response|function_call|function_calls|im_start|im_end)>`, // Qwen, Hermes
}

// spoken are texts that mean something to a model where it is asked, and may well stand in ordinary files.
var spoken = []string{
	`</?(?:think|thinking|thought|reasoning|tool_call|tool_calls|tool_response|tools|function_call|function_calls|invoke|parameter|system|assistant|user|im_start|im_end)\b[^>\n]{0,40}>`,
	`<function=[^>\n]{0,60}>`, `</function>`,
	`(?m)^[ \t]*#{1,4} ?(?:System|Instruction|Instructions|Assistant|User|Human|Response):`, // Alpaca, Vicuna
	`(?m)^[ \t]*(?-i:System|Assistant|Human|User):`,
}

var (
	tokens  = lazyregexp.New(`(?i)` + strings.Join(reserved, "|"))
	special = lazyregexp.New(`(?i)` + strings.Join(append(reserved[:len(reserved):len(reserved)], spoken...), "|"))
	// ownMark is a mark that prompts put around data, or what looks like one.
	ownMark = lazyregexp.New(`DATA ([0-9a-f]{8})`)
)

// Text is quoted text for a client or a person: without what Strip removes, and with the tokens of chat templates taken
// apart by a space after their first sign, which leaves them readable. Lines and other markup stay as they are.
func Text(text string) string {
	text = Strip(text)
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	return apart(text, tokens)
}

// Neutral is text for a prompt: like Text, and nothing in it opens a turn, a call or a thought in the formats that
// models are taught, or looks like a mark around data.
func Neutral(text string) string {
	return apart(ownMark.ReplaceAllString(Strip(text), "DATA_$1"), special)
}

// apart takes tokens apart.
func apart(text string, of *lazyregexp.Regexp) string {
	for range 4 { // taking one apart may make another of what is around it
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
