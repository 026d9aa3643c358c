package replytest

import (
	"math/rand/v2"
	"strings"
)

// shaped has well-formed replies of kinds that the recorded models were too small to give
// often, to be corrupted.
var shaped = []string{
	`{"notes":[{"id":1,"note":"defines the pool"},{"id":3,"note":"takes from the budget"}],"summary":"The pool limits goroutines.","found":true}`,
	"```json\n{\n  \"notes\": [\n    {\"id\": 2, \"note\": \"orders the stages\"}\n  ],\n  \"summary\": \"See schedule.go\",\n  \"found\": true\n}\n```",
	"<think>\nCandidate 4 is a cache, so {\"notes\":[]} would be wrong.\n</think>\n\n{\"notes\": [{\"id\": \"4\", \"note\": \"the cache\"}], \"found\": \"yes\"}",
	`{"notes":{"1":"defines it","5":"masks \"secrets\""}}`,
	`{"words":["pool","worker","limit"],"questions":["Who starts workers?"]}`,
	`{"reason":"it is the constructor","verdict":"yes","confidence":4}`,
	"<tool_call>\n{\"name\": \"code_grep\", \"arguments\": {\"pattern\": \"newPool\", \"glob\": \"**/*.go\"}}\n</tool_call>",
	`[TOOL_REQUEST]{"name":"code_read","arguments":{"path":"runtime/pipeline/engine/pool.go","line":12,"lines":40}}[END_TOOL_REQUEST]`,
	"<function=code_grep>\n<parameter=pattern>\nnewPool\n</parameter>\n</function>",
}

// garbage has strings that get into replies: chat template marks, other languages, ends of other formats.
var garbage = []string{
	"<|im_end|>", "<|im_start|>assistant\n", "<end_of_turn>", "</s>", "<|eot_id|>", "[/INST]", "<think>", "</think>", "<|channel|>final<|message|>",
	"```", "```json\n", "\n```\n", "Sure! Here is the JSON:\n", "I hope this helps!", "Natürlich, hier ist die Antwort: ", "当然，这是答案：", "إليك الإجابة ", "ответ: ",
	"{", "}", "[", "]", `"`, `'`, `\`, `\"`, ",", ":", "null", "NaN", "undefined", "…", "...", "// note\n", "/* ", "\x00", "\ufeff", "\u202e", "\xff\xfe", "😀",
	`{"notes":[]}`, `"type":"object"`, "<tool_call>", "</tool_call>", "runtime/secret/invented.go:999", "99999999999999999999", "-1", "1e999",
}

const maxReply = 8 << 10 // bytes; more tokens than a model is let write

// Malformed returns n replies made from a seed: real and well-formed ones, each corrupted
// in one to four ways. Equal arguments give equal replies.
func Malformed(seed uint64, n int) []string {
	rnd := rand.New(rand.NewPCG(seed, 0x7265706c79))
	source := append([]string{}, shaped...)
	for _, r := range Replies() {
		source = append(source, r.Text)
	}
	out := make([]string, 0, n)
	for range n {
		s := source[rnd.IntN(len(source))]
		if rnd.IntN(2) == 0 {
			s = shaped[rnd.IntN(len(shaped))]
		}
		for range 1 + rnd.IntN(4) {
			s = ways[rnd.IntN(len(ways))](rnd, s, source)
			s = s[:min(len(s), maxReply)]
		}
		out = append(out, s)
	}
	return out
}

// ways lists the functions that corrupt a reply.
var ways = []func(rnd *rand.Rand, s string, all []string) string{
	func(rnd *rand.Rand, s string, _ []string) string { return s[:randomIndex(rnd, s)] },
	func(rnd *rand.Rand, s string, _ []string) string { return s[randomIndex(rnd, s):] },
	func(rnd *rand.Rand, s string, _ []string) string {
		i := randomIndex(rnd, s)
		return s[:i] + garbage[rnd.IntN(len(garbage))] + s[i:]
	},
	func(rnd *rand.Rand, s string, _ []string) string { return garbage[rnd.IntN(len(garbage))] + s },
	func(rnd *rand.Rand, s string, all []string) string { return s + all[rnd.IntN(len(all))] },
	shuffleLines, removeMarks, swap, repeat, replaceQuotes, replaceDigit,
}

func randomIndex(rnd *rand.Rand, s string) int { return rnd.IntN(len(s) + 1) }

func shuffleLines(rnd *rand.Rand, s string, _ []string) string {
	parts := strings.SplitAfter(s, "\n")
	if len(parts) < 3 {
		parts = strings.SplitAfter(s, ",")
	}
	rnd.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, "")
}

// removeMarks removes about a third of the marks of one kind that hold JSON together.
func removeMarks(rnd *rand.Rand, s string, _ []string) string {
	kind := `"{}[],:`[rnd.IntN(7)]
	var out strings.Builder
	for _, c := range []byte(s) {
		if c != kind || rnd.IntN(3) > 0 {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func swap(rnd *rand.Rand, s string, _ []string) string {
	old := `"{}[],:0123456789`[rnd.IntN(17)]
	return strings.ReplaceAll(s, string(old), garbage[rnd.IntN(len(garbage))])
}

func repeat(rnd *rand.Rand, s string, _ []string) string {
	i := randomIndex(rnd, s)
	j := i + rnd.IntN(len(s)-i+1)
	return s[:j] + strings.Repeat(s[i:j], 1+rnd.IntN(20)) + s[j:]
}

func replaceQuotes(rnd *rand.Rand, s string, _ []string) string {
	return strings.ReplaceAll(s, `"`, []string{`'`, "`", `\"`, `“`, ``, `""`}[rnd.IntN(6)])
}

// replaceDigit replaces the first digit with another value.
func replaceDigit(rnd *rand.Rand, s string, _ []string) string {
	i := strings.IndexAny(s, "0123456789")
	if i < 0 {
		return s
	}
	values := []string{`"1"`, `[1]`, `#1`, `1.0`, `99`, `-3`, `"pool.go"`, `null`, `true`, `{"id":1}`, `1e400`, `"one"`}
	return s[:i] + values[rnd.IntN(len(values))] + s[i+1:]
}
