package reply

import (
	"strings"
	"testing"
	"time"
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

// TestLinear compares texts of two lengths; one that seems slow gets more tries,
// so that a busy machine does not decide.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const small, factor, allowed = 4 << 10, 16, 100 // a square would be 256
	short, long := inputs(small), inputs(small*factor)
	for i := range short {
		for name, f := range map[string]func(string){
			"JSON":  func(s string) { _, _, _ = JSON(s, choose) },
			"Calls": func(s string) { Calls(s, tools) },
		} {
			base := max(spent(short[i], f), 200*time.Microsecond)
			took := spent(long[i], f)
			for range 5 {
				if took > allowed*base {
					took = min(took, spent(long[i], f))
				}
			}
			if took > allowed*base {
				t.Errorf("%s of %.40q: %v for %d bytes, %v for %d", name, short[i], base, small, took, small*factor)
			}
		}
	}
}

func spent(s string, f func(string)) time.Duration {
	from := time.Now()
	f(s)
	return time.Since(from)
}

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
