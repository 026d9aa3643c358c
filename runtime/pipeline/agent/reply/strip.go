package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// strip removes everything around an answer: thoughts, chat template marks, a fence around
// the whole and a friendly first line. A text without any of these is only trimmed.
func strip(s string) string {
	s = strings.Trim(s, "\ufeff\u200b \t\r\n")
	s = finalChannel(s)
	s = cutThoughts(s)
	s = cutTurnMarks(s)
	s = unwrapFence(strings.TrimSpace(s))
	return strings.TrimSpace(cutOpener(s))
}

// thinking matches a tag that opens or closes a thought.
var thinking = lazyregexp.New(`(?i)<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|seed:think|\|begin_of_thought\||\|end_of_thought\|)>|\[(/?)THINK\]`)

// cutThoughts removes the text between such tags. Without an opening tag the thought began with the
// text, without a closing tag it goes on to the end. A quoted tag is only mentioned, not used.
func cutThoughts(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	tags := thinking.FindAllStringSubmatchIndex(s, -1)
	if tags == nil {
		return s
	}
	var out strings.Builder
	keep, depth, at, quoted := 0, 0, 0, false
	for _, t := range tags {
		quoted = inQuotes(s[at:t[0]], quoted)
		at = t[1]
		if quoted {
			continue
		}
		closing := t[2] != t[3] || t[4] != t[5] || strings.HasPrefix(s[t[0]:], "<|end")
		switch {
		case closing && depth == 0:
			out.Reset()
			keep = t[1]
		case closing:
			depth--
			keep = t[1]
		default:
			if depth == 0 {
				out.WriteString(s[keep:t[0]])
			}
			depth++
		}
		if closing {
			depth = 0
		}
	}
	if depth == 0 {
		out.WriteString(s[keep:])
	}
	return out.String()
}

// inQuotes reports whether the end of s is inside quotes on its line; quoted says so about its start.
func inQuotes(s string, quoted bool) bool {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s, quoted = s[i:], false
	}
	odd := (strings.Count(s, `"`)-strings.Count(s, `\"`))%2 != 0
	return quoted != odd
}

// finalChannel keeps the final channel of a reply in the Harmony format of gpt-oss.
func finalChannel(s string) string {
	const final = "<|channel|>final"
	if i := strings.LastIndex(s, final); i >= 0 {
		s = s[i+len(final):]
		if j := strings.Index(s, "<|message|>"); j >= 0 {
			s = s[j+len("<|message|>"):]
		}
		return s
	}
	if strings.HasPrefix(s, "analysis") {
		if _, after, ok := strings.Cut(s, "assistantfinal"); ok {
			return after
		}
	}
	if !strings.Contains(s, "<|channel|>") {
		return s
	}
	return analysis.ReplaceAllString(s, "")
}

var analysis = lazyregexp.New(`(?s)<\|channel\|>analysis.*?(?:<\|end\|>|<\|return\|>|<\|call\|>|<\|start\|>|$)`)

// turn matches a mark with which chat templates begin or end a turn.
var turn = lazyregexp.New(`(?i)<\|(?:im_end|im_start|end|start|eot_id|eom_id|endoftext|end_of_text|begin_of_text|end_of_turn|return|message|channel|assistant|user|system|start_header_id|end_header_id|end_of_role|start_of_role|eos|constrain)\|>|</?(?:s|eos|bos|end_of_turn|start_of_turn)>|\[/?INST\]|<｜end▁of▁sentence｜>`)

// cutTurnMarks removes the marks outside quotes. After a mark that ends a turn, the model went
// on to speak as someone else; that part is cut if an answer precedes it.
func cutTurnMarks(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	tags := turn.FindAllStringIndex(s, -1)
	if tags == nil {
		return s
	}
	var out strings.Builder
	keep, at, quoted := 0, 0, false
	for _, t := range tags {
		quoted = inQuotes(s[at:t[0]], quoted)
		at = t[1]
		if quoted {
			continue
		}
		out.WriteString(s[keep:t[0]])
		keep = t[1]
		if endsTurn(s[t[0]:t[1]]) && strings.TrimSpace(out.String()) != "" {
			return out.String()
		}
	}
	out.WriteString(s[keep:])
	return out.String()
}

func endsTurn(mark string) bool {
	switch strings.ToLower(mark) {
	case "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "<|return|>", "<|eos|>",
		"</s>", "<eos>", "<end_of_turn>", "<|end_of_turn|>", "<｜end▁of▁sentence｜>":
		return true
	}
	return false
}

// unwrapFence unwraps the only fence of a text, if the fence begins the text or holds JSON.
func unwrapFence(s string) string {
	i := strings.Index(s, "```")
	if i < 0 || strings.Count(s, "```") > 2 {
		return s
	}
	_, body, ok := strings.Cut(s[i:], "\n")
	if !ok {
		body = strings.TrimLeft(strings.TrimPrefix(s[i:], "```"), "abcdefghijklmnopqrstuvwxyzJSON")
	}
	if j := strings.LastIndex(body, "```"); j >= 0 {
		body = body[:j]
	}
	body = strings.TrimSpace(body)
	if body == "" || i > 0 && body[0] != '{' && body[0] != '[' || inQuotes(s[:i], false) {
		return s
	}
	return body
}

// opener matches a first line that only announces an answer.
var opener = lazyregexp.New(`(?i)^(?:(?:sure|certainly|of course|okay|ok|absolutely|here(?:'s| is| are)|the (?:json|answer|result|output)|below is|based on)\b[^\n{\[]{0,160}?[:!]|(?:answer|output|result|response|json):)\s*(?:\n|\s[{\[])`)

func cutOpener(s string) string {
	for range 3 {
		m := opener.FindStringIndex(s)
		if m == nil {
			return s
		}
		end := m[1]
		if c := s[end-1]; c == '{' || c == '[' {
			end--
		}
		rest := strings.TrimSpace(s[end:])
		if rest == "" {
			return s
		}
		s = rest
	}
	return s
}
