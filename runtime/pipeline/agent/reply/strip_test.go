package reply

import (
	"strings"
	"testing"
)

func TestStrip(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"It is in pool.go.", "It is in pool.go."},
		{"  It is.\n", "It is."},
		{"\ufeffIt is.", "It is."},
		{"<think>hm</think>\n\nIt is.", "It is."},
		{"<think>never closed", ""},
		{"hm\n</think>It is.", "It is."},
		{"<thinking>a</thinking>It <reasoning>b</reasoning>is.", "It is."},
		{`{"note":"cuts <think> off"}`, `{"note":"cuts <think> off"}`},
		{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>It is.<|return|>", "It is."},
		{"<|channel|>analysis<|message|>hm", ""},
		{"It is.<|im_end|>\n<|im_start|>user\nAnd then?", "It is."},
		{"It is.<end_of_turn>", "It is."},
		{"It is.</s>", "It is."},
		{"[INST] q [/INST] It is.", "q  It is."},
		{"```\nIt is.\n```", "It is."},
		{"Two:\n```go\na()\n```\nand\n```go\nb()\n```", "Two:\n```go\na()\n```\nand\n```go\nb()\n```"},
		{"Run\n```sh\nmake\n```\nfirst.", "Run\n```sh\nmake\n```\nfirst."},
		{"Sure! Here is the answer:\nIt is.", "It is."},
		{"Sure!", "Sure!"},
		{"Based on pool.go it is the pool.", "Based on pool.go it is the pool."},
		{"Output: {\"a\":1}", `{"a":1}`},
	} {
		if got := strip(c.text); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestLongTextIsCut(t *testing.T) {
	if got := bound(strings.Repeat("é", maxBytes)); len(got) > maxBytes || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes", len(got))
	}
	got, err := Read(`{"notes":[{"id":1,"note":"a"}],"summary":"`+strings.Repeat("x", maxBytes)+`"}`, choose)
	if err != nil || !got.Cut || len(got.Value["notes"].([]any)) != 1 {
		t.Errorf("%v %v", got, err)
	}
}
