package reply

import (
	"strings"
	"testing"
)

// worst are pieces that, repeated, cost a careless reader the square of their
// length or its stack.
var worst = []string{
	`[`, `{`, `{"a":`, `{a:`, `[{"a":`, `"`, `'`, "`", `“`, `\"`, `{\"`, `\`, `,`, `, `, `: `, `{"a":"`, `{"a":"b, `, `"a", `, `"a" `, `"a:b" c, `,
	`<think>`, `</think>`, `<think></think>`, `<|channel|>analysis`, `<|channel|>final`, `<|im_end|>`, "```", "```json\n", "\n```\n", `// `, `/* `, "# x\n",
	`<tool_call>`, `<tool_call>{`, `<function=`, `<function=a>`, `<parameter=a>`, `<arg_key>a</arg_key>`, `[TOOL_CALLS]`, `[TOOL_REQUEST]{`, "Action: a\nAction Input: ", `a(`, `a(x=`, `Sure: `, `{"name":"a","arguments":{`, `{"notes":[`, `{"notes":[{"id":1,"note":"x"},`,
	` `, "\n", `1,`, `{} `, `{"notes":1}`, `"x" + `, `{"a" "b" `,
}

// inputs are texts of n bytes: a piece repeated, alone and inside an object.
func inputs(n int) []string {
	var out []string
	for _, w := range worst {
		long := strings.Repeat(w, n/len(w))
		out = append(out, long, `{"notes":[{"id":1,"note":"`+long, "<tool_call>"+long)
	}
	return out
}

var tools = []string{"a", "code_grep", "code_read"}

func BenchmarkWorst(b *testing.B) {
	for _, w := range []string{`[`, `{"a":`, `"`, `<think>`, `{"notes":[{"id":1,"note":"x"},`, `{\"`, `1,`} {
		s := strings.Repeat(w, maxBytes/len(w))
		b.Run(w, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				_, _, _ = JSON(s, choose)
				Calls(s, tools)
			}
		})
	}
}
