package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"compactor/runtime/lazyregexp"
	"compactor/runtime/redact"
)

// Text of files reaches a model only fenced: between two lines with a mark that
// the text cannot hold, each of its lines behind a bar, and without anything
// that a chat template takes for the end of a turn. The mark comes from a hash
// of everything fenced, so that equal prompts are equal bytes and no file can
// know it beforehand.

// fence wraps data. seed goes into the mark beside the data itself.
func fence(data, seed string) string {
	data = Neutral(data)
	mark := markFor(data, seed)
	var b strings.Builder
	b.WriteString("<<DATA " + mark + "\n")
	for line := range strings.Lines(data) {
		b.WriteString("| " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("DATA " + mark + ">>")
	return b.String()
}

func markFor(data, seed string) string {
	sum := sha256.Sum256([]byte(seed + "\x00" + data))
	for {
		mark := hex.EncodeToString(sum[:4])
		if !strings.Contains(data, mark) {
			return mark
		}
		sum = sha256.Sum256(sum[:])
	}
}

// special are the texts that chat templates, tool formats and reasoning formats
// of the usual models give a meaning to.
var special = lazyregexp.New(`(?i)` + strings.Join([]string{
	`<\|[^\n]{0,60}?\|>`, `<｜[^\n]{0,60}?｜>`, // ChatML, Llama 3, Phi, harmony; DeepSeek
	`</?s>`, `<</?SYS>>`, `\[/?INST\]`, // Llama 2, Mistral
	`\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_REQUEST|END_TOOL_REQUEST|TOOL_CONTENT|SYSTEM_PROMPT|THINK|IMG)\]`,
	`<(?:start|end)_of_(?:turn|image)>`, `<(?:bos|eos|pad|unk|mask)>`, `<unused\d+>`, `<extra_id_\d+>`, // Gemma, T5
	`</?(?:think|thinking|thought|reasoning|tool_call|tool_calls|tool_response|tools|function_call|function_calls|invoke|parameter|system|assistant|user|im_start|im_end)\b[^>\n]{0,40}>`,
	`<function=[^>\n]{0,60}>`, `</function>`,
	`(?m)^[ \t]*#{1,4} ?(?:System|Instruction|Instructions|Assistant|User|Human|Response):`, // Alpaca, Vicuna
	`(?m)^[ \t]*(?-i:System|Assistant|Human|User):`,
}, "|"))

// ownMark is a mark of ours, or what looks like one.
var ownMark = lazyregexp.New(`DATA ([0-9a-f]{8})`)

// Neutral is text in which nothing speaks to a model's template: control,
// invisible and direction characters are gone, and template tokens are taken
// apart with a space after their first sign, which leaves them readable.
func Neutral(text string) string {
	text = ownMark.ReplaceAllString(redact.Strip(text), "DATA_$1")
	for range 4 { // taking one apart may make another of what is around it
		if !special.MatchString(text) {
			return text
		}
		text = special.ReplaceAllStringFunc(text, func(token string) string {
			indent := token[:len(token)-len(strings.TrimLeft(token, " \t"))]
			first, rest := splitRune(token[len(indent):])
			return indent + first + " " + strings.NewReplacer("|>", "| >", "｜>", "｜ >").Replace(rest)
		})
	}
	return special.ReplaceAllStringFunc(text, func(token string) string { return strings.Repeat("-", len(token)) })
}

// splitRune cuts the first character off.
func splitRune(s string) (first, rest string) {
	for i := range s {
		if i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}
