package sanitize

import "testing"

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"![x](https://evil.example/?q=1)":       `![x]\(https://evil.example/?q=1)`,
		"[a]( <javascript:alert(1)>)":           `[a]\( \<javascript:alert(1)>)`,
		"[a](//evil.example)":                   `[a]\(//evil.example)`,
		"[x]: http://evil.example":              `[x]\: http://evil.example`,
		"- [x]: http://evil.example":            `- [x]\: http://evil.example`,
		"<https://evil.example>":                `\<https://evil.example>`,
		`<img src="//evil.example/x">`:          `\<img src="//evil.example/x">`,
		"<SCRIPT>":                              `\<SCRIPT>`,
		"m[k](x) and a[i]: 3, if a < b { <-c }": "m[k](x) and a[i]: 3, if a < b { <-c }",
		"see [x](docs/a.md), Vec<u8>, `x`":      "see [x](docs/a.md), Vec<u8>, `x`",
	} {
		got := Markdown(in)
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
		if again := Markdown(got); again != got {
			t.Errorf("%s: again %s", got, again)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{"a.go:3": "`a.go:3`", "a`b.go": "`` a`b.go ``", "``x": "``` ``x ```"} {
		if got := Code(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
