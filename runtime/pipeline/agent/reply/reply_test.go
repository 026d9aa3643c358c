package reply

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

func ptr[T any](v T) *T { return &v }

// choose is the schema of a choice among eight candidates, with one field of
// every kind.
var choose = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
	{Name: "notes", Required: true, Schema: &schema.Schema{Type: schema.Array, MaxLen: ptr(4), Items: &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "id", Required: true, Schema: &schema.Schema{Type: schema.Integer, Enum: []any{1, 2, 3, 4, 5, 6, 7, 8}}},
		{Name: "note", Required: true, Schema: &schema.Schema{Type: schema.String, MaxLen: ptr(60)}},
	}}}},
	{Name: "summary", Schema: &schema.Schema{Type: schema.String}},
	{Name: "found", Schema: &schema.Schema{Type: schema.Boolean}},
	{Name: "verdict", Schema: &schema.Schema{Type: schema.String, Enum: []any{"yes", "no", "not_sure"}}},
	{Name: "searchWords", Schema: &schema.Schema{Type: schema.Array, MaxLen: ptr(3), Items: &schema.Schema{Type: schema.String, MinLen: ptr(2)}}},
	{Name: "score", Schema: &schema.Schema{Type: schema.Number, Min: ptr(0.0), Max: ptr(1.0)}},
	{Name: "line", Schema: &schema.Schema{Type: schema.Integer, Min: ptr(1.0), Nullable: true}},
}}

const (
	one = `{"notes":[{"id":1,"note":"defines it"}]}`
	two = `{"notes":[{"id":1,"note":"defines it"},{"id":2,"note":"calls it"}]}`
)

// replies are what models wrote, what is made of it, and on which rung. The
// tests of one package and the seeds of its fuzzers share them.
var replies = []struct {
	name, text string
	rung       Rung
	want       string
}{
	{"as asked", one, Clean, one},
	{"pretty", "{\n  \"notes\": [\n    {\"id\": 1, \"note\": \"defines it\"}\n  ]\n}\n", Clean, one},
	{"nothing found", `{"notes":[]}`, Clean, `{"notes":[]}`},
	{"a null that may be", `{"notes":[],"line":null}`, Clean, `{"line":null,"notes":[]}`},
	{"a tag inside a string", `{"notes":[{"id":1,"note":"cuts <think> and </think>"}]}`, Clean, `{"notes":[{"id":1,"note":"cuts <think> and </think>"}]}`},
	{"a fence inside a string", "{\"notes\":[{\"id\":1,\"note\":\"opens ``` there\"}]}", Clean, "{\"notes\":[{\"id\":1,\"note\":\"opens ``` there\"}]}"},
	{"escapes", `{"notes":[{"id":1,"note":"a \"b\" \\ \u00e9 \ud83d\ude00"}]}`, Clean, `{"notes":[{"id":1,"note":"a \"b\" \\ é 😀"}]}`},
	{"a repeated key", `{"notes":[],"summary":"a","summary":"b"}`, Clean, `{"notes":[],"summary":"b"}`},

	{"a fence", "```json\n" + one + "\n```", Stripped, one},
	{"a fence without language", "```\n" + one + "\n```\n", Stripped, one},
	{"a fence on one line", "```json " + one + "```", Stripped, one},
	{"a fence never closed", "```json\n" + one, Stripped, one},
	{"a friendly first line", "Sure! Here is the JSON:\n\n" + one, Stripped, one},
	{"chatter on both sides", "Here's my choice:\n```json\n" + one + "\n```\nLet me know if {this} helps!", Stripped, one},
	{"a sentence before", "Based on the candidates, the answer is " + one, Stripped, one},
	{"a sentence after", one + "\n\nExplanation: candidate 1 defines it.", Stripped, one},
	{"a byte order mark", "\ufeff" + one, Stripped, one},
	{"thoughts", "<think>\nMaybe {\"notes\":[{\"id\":2,\"note\":\"no\"}]}?\n</think>\n\n" + one, Stripped, one},
	{"thoughts that began in the prompt", "candidate 1 fits {I think}\n</think>\n" + one, Stripped, one},
	{"empty thoughts", "<think>\n\n</think>\n" + one, Stripped, one},
	{"thoughts never closed, with the answer in them", "<think>It is number 1, so " + one, Stripped, one},
	{"thoughts in other tags", "<reasoning>1 or 2</reasoning><thought>1</thought>" + one, Stripped, one},
	{"thoughts of Magistral", "[THINK]either[/THINK]" + one, Stripped, one},
	{"nested thoughts", "<think>a<think>b</think>c {\"notes\":[]}</think>" + one, Stripped, one},
	{"channels of gpt-oss", "<|channel|>analysis<|message|>Maybe {\"notes\":[]}<|end|><|start|>assistant<|channel|>final<|message|>" + one + "<|return|>", Stripped, one},
	{"channels that lost their marks", "analysisWe need JSON {\"notes\":[]}.assistantfinal" + one, Stripped, one},
	{"an end of turn, ChatML", one + "<|im_end|>", Stripped, one},
	{"an end of turn, Gemma", one + "<end_of_turn>\n<start_of_turn>user\nanother {\"notes\":[]}", Stripped, one},
	{"an end of turn, Llama", one + "<|eot_id|><|start_header_id|>assistant", Stripped, one},
	{"an end of turn, Mistral", "[/INST] " + one + "</s>", Stripped, one},
	{"two objects, the first fits", one + "\n" + two, Stripped, one},
	{"two objects, the second fits", `{"thoughts": 1}` + "\n" + one, Stripped, one},
	{"the schema, then the answer", `{"type":"object","properties":{"notes":{"type":"array","items":{"type":"object"}}},"required":["notes"]}` + "\n" + one, Stripped, one},
	{"an example of prose", "Use {id} for each {note}.\n" + one, Stripped, one},

	{"single quotes", `{'notes': [{'id': 1, 'note': 'defines it'}]}`, Mended, one},
	{"an apostrophe in single quotes", `{'notes': [{'id': 1, 'note': 'the pool's size'}]}`, Mended, `{"notes":[{"id":1,"note":"the pool's size"}]}`},
	{"Python", `{'notes': [{'id': 1, 'note': 'defines it'}], 'found': True, 'line': None}`, Mended, `{"found":true,"line":null,"notes":[{"id":1,"note":"defines it"}]}`},
	{"keys without quotes", `{notes: [{id: 1, note: "defines it"}]}`, Mended, one},
	{"values without quotes", "{notes: [{id: 1, note: defines it}], summary: all in pool.go, I think, found: true}", Mended, `{"found":true,"notes":[{"id":1,"note":"defines it"}],"summary":"all in pool.go, I think"}`},
	{"trailing commas", `{"notes":[{"id":1,"note":"defines it",},],}`, Mended, one},
	{"doubled commas", `{"notes":[{"id":1,,"note":"defines it"},,]}`, Mended, one},
	{"missing commas", "{\"notes\":[{\"id\":1 \"note\":\"defines it\"}\n{\"id\":2\n\"note\":\"calls it\"}]}", Mended, two},
	{"a missing comma after text", `{"summary":"in pool.go" "notes":[{"id":1,"note":"defines it"}]}`, Mended, `{"notes":[{"id":1,"note":"defines it"}],"summary":"in pool.go"}`},
	{"a missing colon", `{"notes" [{"id" 1,"note":"defines it"}]}`, Mended, one},
	{"arrows and equals", `{"notes" => [{"id" = 1, "note" = "defines it"}]}`, Mended, one},
	{"comments", "{\n// the best\n\"notes\":[{\"id\":1,/* x */\"note\":\"defines it\"} # first\n]}", Mended, one},
	{"an ellipsis", `{"notes":[{"id":1,"note":"defines it"}, ...]}`, Mended, one},
	{"quotes in a string", `{"notes":[{"id":1,"note":"the "pool" type, it says"}]}`, Mended, `{"notes":[{"id":1,"note":"the \"pool\" type, it says"}]}`},
	{"a quoted word at the end of a string", `{"notes":[{"id":1,"note":"it is the "pool""}]}`, Mended, `{"notes":[{"id":1,"note":"it is the \"pool\""}]}`},
	{"an object in a string", `{"notes":[{"id":1,"note":"reads {"a": 1} there"}]}`, Mended, `{"notes":[{"id":1,"note":"reads {\"a\": 1} there"}]}`},
	{"a missing end quote", `{"summary":"in pool.go, "notes":[{"id":1,"note":"defines it"}]}`, Mended, `{"notes":[{"id":1,"note":"defines it"}],"summary":"in pool.go"}`},
	{"a missing end quote before a line", "{\"summary\":\"in pool.go\n\"notes\":[{\"id\":1,\"note\":\"defines it\"}]}", Mended, `{"notes":[{"id":1,"note":"defines it"}],"summary":"in pool.go"}`},
	{"a missing end quote at the end", `{"notes":[{"id":1,"note":"defines it}]}`, Mended, one},
	{"a missing first quote", `{"notes":[{"id":1,"note":defines it"}]}`, Mended, one},
	{"a key with half its quotes", `{notes":[{"id:1,"note":"defines it"}]}`, Mended, one},
	{"smart quotes", `{“notes”: [{“id”: 1, “note”: “defines it”}]}`, Mended, one},
	{"backquotes", "{`notes`: [{`id`: 1, `note`: `defines it`}]}", Mended, one},
	{"triple quotes", `{"notes":[{"id":1,"note":"""defines it"""}]}`, Mended, one},
	{"line breaks in a string", "{\"notes\":[{\"id\":1,\"note\":\"defines\nit\"}]}", Mended, `{"notes":[{"id":1,"note":"defines\nit"}]}`},
	{"escapes that JSON does not know", `{"notes":[{"id":1,"note":"C:\pool \d+ it\'s"}]}`, Mended, `{"notes":[{"id":1,"note":"C:\\pool \\d+ it's"}]}`},
	{"a quoted object", `{\"notes\":[{\"id\":1,\"note\":\"defines it\"}]}`, Mended, one},
	{"a missing bracket", `{"notes":[{"id":1,"note":"defines it"}}`, Mended, one},
	{"a missing brace", `{"notes":[{"id":1,"note":"defines it"],"summary":"x"}`, Mended, `{"notes":[{"id":1,"note":"defines it"}],"summary":"x"}`},
	{"a brace too many", one + "}}", Stripped, one},
	{"a brace too many inside", `{"notes":[{"id":1,"note":"defines it"}}],"summary":"x"}`, Mended, `{"notes":[{"id":1,"note":"defines it"}],"summary":"x"}`},
	{"no last brace", `{"notes":[{"id":1,"note":"defines it"}]`, Mended, one},
	{"cut in a string", `{"notes":[{"id":1,"note":"defines it"},{"id":2,"note":"cal`, Mended, one},
	{"cut in a number", `{"notes":[{"id":1,"note":"defines it"}],"line":12`, Mended, one},
	{"cut in a key", `{"notes":[{"id":1,"note":"defines it"}],"summ`, Mended, one},
	{"cut after a colon", `{"notes":[{"id":1,"note":"defines it"}],"summary":`, Mended, one},
	{"cut after a comma", `{"notes":[{"id":1,"note":"defines it"},`, Mended, one},
	{"cut by a fence", "```json\n{\"notes\":[{\"id\":1,\"note\":\"defines it\"}\n```\nDone.", Mended, one},
	{"NaN", `{"notes":[],"line":NaN}`, Mended, `{"line":null,"notes":[]}`},
	{"doubled braces", `{{"notes":[{"id":1,"note":"defines it"}]}}`, Fitted, one},

	{"an id as text", `{"notes":[{"id":"1","note":"defines it"}]}`, Fitted, one},
	{"an id in brackets", `{"notes":[{"id":"[1]","note":"defines it"},{"id":[2],"note":"calls it"}]}`, Fitted, two},
	{"an id with a hash", `{"notes":[{"id":"#1","note":"defines it"},{"id":#2,"note":"calls it"}]}`, Fitted, two},
	{"an id with a word", `{"notes":[{"id":"Candidate 1","note":"defines it"},{"id":"ID: 2","note":"calls it"}]}`, Fitted, two},
	{"an id with its text", `{"notes":[{"id":"1. pool.go:12","note":"defines it"},{"id":"[2] ledger.go","note":"calls it"}]}`, Fitted, two},
	{"an id with a point", `{"notes":[{"id":1.0,"note":"defines it"}]}`, Fitted, one},
	{"an id out of range beside a good one", `{"notes":[{"id":9,"note":"x"},{"id":1,"note":"defines it"}]}`, Fitted, one},
	{"an invented path beside a good one", `{"notes":[{"id":"pool.go","note":"x"},{"id":1,"note":"defines it"}]}`, Fitted, one},
	{"keyed by id", `{"notes":{"1":"defines it","#2":"calls it"}}`, Fitted, two},
	{"keyed by id, with objects", `{"notes":{"1":{"note":"defines it"},"2":{"note":"calls it"}}}`, Fitted, two},
	{"a list of objects keyed by id", `{"notes":[{"1":"defines it"},{"2":"calls it"}]}`, Fitted, two},
	{"pairs in a list", `{"notes":["1": "defines it", "2": "calls it"]}`, Fitted, two},
	{"members in a list", `{"notes":["id": 1, "note": "defines it", "id": 2, "note": "calls it"]}`, Mended, two},
	{"lines that say id and note", `{"notes":["1: defines it","2. calls it"]}`, Fitted, two},
	{"one object for a list", `{"notes":{"id":1,"note":"defines it"}}`, Fitted, one},
	{"a list as text", `{"notes":"[{\"id\":1,\"note\":\"defines it\"}]"}`, Fitted, one},
	{"the whole as text", `{"notes":"{\"id\":1,\"note\":\"defines it\"}"}`, Fitted, one},
	{"a bare list", `[{"id":1,"note":"defines it"},{"id":2,"note":"calls it"}]`, Fitted, two},
	{"keys in another case", `{"Notes":[{"ID":1,"Note":"defines it"}],"search words":["pool"],"Search-Words":["size"]}`, Fitted, `{"notes":[{"id":1,"note":"defines it"}],"searchWords":["size"]}`},
	{"a key in the plural", `{"note":[{"ids":1,"notes":"defines it"}]}`, Fitted, one},
	{"keys nobody asked for", `{"notes":[{"id":1,"note":"defines it","path":"pool.go"}],"confidence":9}`, Fitted, one},
	{"a wrapper", `{"response":{"notes":[{"id":1,"note":"defines it"}]}}`, Fitted, one},
	{"a deeper wrapper", `{"status":"ok","data":{"result":{"notes":[{"id":1,"note":"defines it"}]}}}`, Fitted, one},
	{"a list of the whole", `[{"notes":[{"id":1,"note":"defines it"}]}]`, Stripped, one},
	{"too long a text", `{"notes":[{"id":1,"note":"this is a rather long note that goes on and on until it is cut at a word"}]}`, Fitted, `{"notes":[{"id":1,"note":"this is a rather long note that goes on and on until it…"}]}`},
	{"too long a list", `{"notes":[],"searchWords":["pool","size","limit","more"]}`, Fitted, `{"notes":[],"searchWords":["pool","size","limit"]}`},
	{"too long a list that repeats", `{"notes":[],"searchWords":["pool","pool","pool","pool","size"]}`, Fitted, `{"notes":[],"searchWords":["pool","size"]}`},
	{"one word for a list", `{"notes":[],"searchWords":"pool"}`, Fitted, `{"notes":[],"searchWords":["pool"]}`},
	{"too short a word", `{"notes":[],"searchWords":["a","pool"]}`, Fitted, `{"notes":[],"searchWords":["pool"]}`},
	{"bulleted lines for a list", `{"notes":[],"searchWords":"- pool\n- size"}`, Fitted, `{"notes":[],"searchWords":["pool","size"]}`},
	{"a boolean as text", `{"notes":[],"found":"Yes"}`, Fitted, `{"found":true,"notes":[]}`},
	{"a boolean as a number", `{"notes":[],"found":0}`, Fitted, `{"found":false,"notes":[]}`},
	{"a choice in another case", `{"notes":[],"verdict":" Not sure."}`, Fitted, `{"notes":[],"verdict":"not_sure"}`},
	{"a choice that is none", `{"notes":[],"verdict":"maybe"}`, Fitted, `{"notes":[]}`},
	{"a choice in a list", `{"notes":[],"verdict":["yes"]}`, Fitted, `{"notes":[],"verdict":"yes"}`},
	{"a number as text", `{"notes":[],"score":"0.5"}`, Fitted, `{"notes":[],"score":0.5}`},
	{"a number out of range", `{"notes":[],"score":95}`, Fitted, `{"notes":[]}`},
	{"a null where a list must be", `{"notes":null}`, Fitted, `{"notes":[]}`},
	{"a null that may not be", `{"notes":[],"summary":null}`, Fitted, `{"notes":[]}`},
	{"a list of texts for a text", `{"notes":[],"summary":["a","b"]}`, Fitted, `{"notes":[],"summary":"a; b"}`},
	{"an object for a text", `{"notes":[],"summary":{"text":"a"}}`, Fitted, `{"notes":[],"summary":"a"}`},
}

func TestJSON(t *testing.T) {
	for _, c := range replies {
		value, rung, err := JSON(c.text, choose)
		if err != nil || rung != c.rung {
			t.Errorf("%s: rung %q, want %q; error %v", c.name, rung, c.rung, err)
			continue
		}
		if got := marshal(t, value); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestMismatch(t *testing.T) {
	for text, want := range map[string]string{
		``:                     "no JSON object in the reply",
		`I cannot answer that`: "no JSON object in the reply",
		`{"notes":[{"id":"pool.go","note":"x"}]}`: `field notes[0].id: want one of 1..8, got "pool.go"`,
		`{"notes":[{"id":9,"note":"x"}]}`:         `field notes[0].id: want one of 1..8, got 9`,
		`{"notes":[{"id":1}]}`:                    `field notes[0].note: missing`,
		`{"summary":"x"}`:                         `field notes: missing`,
		`{"notes":3}`:                             `field notes[0].note: missing`,
		`{"notes":true}`:                          `field notes[0]: want an object with id, note, got true`,
		`{"answer":"x"}`:                          `want an object with notes, summary, found, verdict, searchWords, score, line, got one with "answer"`,
		`{"notes":[{"id":1,"note":"it is `:        `field notes[0].note: the reply ended inside it`,
		`{"a": ` + strings.Repeat("[", 100):       `nested too deeply`,
		`{"properties":{"notes":{"type":"array","items":{"type":"integer"}}}}`: `field notes[0].id: want one of 1..8, got "type"`,
	} {
		_, _, err := JSON(text, choose)
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
