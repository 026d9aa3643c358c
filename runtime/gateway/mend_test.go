package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// strictTool is a tool whose arguments the test server checks in the words of a framework, where its name says one. It
// refuses what it does not know.
func strictTool(name string) string {
	return `{"name":"` + name + `","description":"Reads lines","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"max_lines":{"type":"integer","default":20},` +
		`"tags":{"type":"array","items":{"type":"string"}}},"required":["path","max_lines"],"additionalProperties":false}}`
}

// What works when a server is asked directly works through the gateway: arguments with defaults may be missing, and
// unknown ones go along.
func TestWorkingCallsGetThrough(t *testing.T) {
	w := newWorld(t, map[string]string{"a": strictTool("echo")})
	for _, args := range []string{`{"path":"a"}`, `{"path":"a","colour":"red"}`, `{"path":"a","max_lines":3.0}`} {
		if got, err := w.run("a__echo", args); err != nil || got != args {
			t.Errorf("%s arrived as %s, %v", args, got, err)
		}
	}
}

// An empty text for an optional list is no value, and a list that was made of one text is told to the model: it may have
// meant several.
func TestWhatWasMendedIsTold(t *testing.T) {
	w := newWorld(t, map[string]string{"a": strictTool("echo")})
	for _, tt := range []struct{ args, sent, mended, told string }{
		{`{"path":"a","tags":""}`, `{"path":"a"}`, `["tags"]`, ""},
		{`{"path":"a","max_lines":null,"tags":["x"]}`, `{"path":"a","tags":["x"]}`, `["max_lines"]`, ""},
		{`{"path":"a","tags":"x,y"}`, `{"path":"a","tags":["x,y"]}`, `["tags"]`, "tags"},
		{`{"path":"a","tags":"x\ny"}`, `{"path":"a","tags":["x\ny"]}`, `["tags"]`, "tags"},
		{`{"path":"a","tags":"x"}`, `{"path":"a","tags":["x"]}`, `["tags"]`, ""},
		{`{"path":"a,b","tags":["x,y"]}`, `{"path":"a,b","tags":["x,y"]}`, ``, ""},
	} {
		res, err := w.For(Caller{Bounded: true}).Execute(t.Context(), "a__echo", "", json.RawMessage(tt.args))
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Content []struct{ Text string }
			Meta    map[string]json.RawMessage `json:"_meta"`
		}
		if json.Unmarshal(res.Raw, &r) != nil || r.Content[0].Text != tt.sent || string(r.Meta[mendedKey]) != tt.mended {
			t.Errorf("%s: %s", tt.args, res.Raw)
		}
		if told := len(r.Content) > 1; told != (tt.told != "") || told && !strings.Contains(r.Content[1].Text, tt.told) {
			t.Errorf("%s is told as %+v", tt.args, r.Content)
		}
	}
}

// A server's refusal of arguments is answered with what the schema says was meant, once; any other failure is final.
func TestARefusalIsMendedOnce(t *testing.T) {
	var tools []string
	for _, name := range []string{"strict_rpc", "strict_zod", "strict_issues", "strict_pydantic", "strict_jsonschema", "strict_body", "strict_model", "strict_crash"} {
		tools = append(tools, strictTool(name))
	}
	w := newWorld(t, map[string]string{"a": strings.Join(tools, ",")})
	w.names()
	calls := func(tool string) (n int) {
		for _, line := range w.log("a") {
			if strings.HasPrefix(line, "call "+tool+" ") {
				n++
			}
		}
		return n
	}
	for tool, mended := range map[string]bool{"strict_rpc": true, "strict_zod": true, "strict_issues": true, "strict_pydantic": true, "strict_jsonschema": true,
		"strict_body": false, "strict_model": false, "strict_crash": false} {
		res, err := w.For(Caller{}).Execute(t.Context(), "a__"+tool, "", json.RawMessage(`{"path":"a","tag":"x"}`))
		want := 1
		if mended {
			want = 2
		}
		if got := calls(tool); got != want {
			t.Errorf("%s: %d calls, want %d", tool, got, want)
		}
		if !mended {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		var r struct {
			Content []struct{ Text string }
			Meta    map[string]json.RawMessage `json:"_meta"`
		}
		if json.Unmarshal(res.Raw, &r) != nil || len(r.Content) != 1 || r.Content[0].Text != `{"path":"a","tags":["x"]}` || string(r.Meta[mendedKey]) != `["tags"]` {
			t.Errorf("%s: %s", tool, res.Raw)
		}
	}
	// What cannot be mended is the server's own answer, with the schema where a model reads it.
	_, err := w.run("a__strict_rpc", `{"path":"a","colour":"red"}`)
	var h interface{ Hint() string }
	if code(err) != CodeArguments || !errors.As(err, &h) || !strings.Contains(h.Hint(), `"required":["path","max_lines"]`) || calls("strict_rpc") != 3 {
		t.Errorf("%v after %d calls", err, calls("strict_rpc"))
	}
	// A mended call that is refused too is answered in the words about what was sent.
	if got, _ := w.run("a__strict_zod", `{"path":"a","tag":"never"}`); !strings.Contains(got, "tag") || strings.Contains(got, "tags") {
		t.Errorf("refused twice: %s", got)
	}
}

// A call that the server has begun, as its notes show, is not sent again.
func TestABegunCallIsNotRepeated(t *testing.T) {
	w := newWorld(t, map[string]string{"a": strictTool("strict_begun")})
	w.names()
	_, err := w.For(Caller{Note: func(string, json.RawMessage) {}, Params: json.RawMessage(`{"_meta":{"progressToken":1}}`)}).
		Execute(t.Context(), "a__strict_begun", "", json.RawMessage(`{"path":"a","tag":"x"}`))
	if code(err) != CodeArguments {
		t.Errorf("%v", err)
	}
	if got := slices.DeleteFunc(w.log("a"), func(s string) bool { return !strings.HasPrefix(s, "call ") }); len(got) != 1 {
		t.Errorf("calls: %v", got)
	}
}

// refusedBy is the answer of a strict server to arguments, in the words of a framework.
func refusedBy(name string, args json.RawMessage) (rpc, text string) {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(args, &m)
	unknown := ""
	for k := range m {
		if k != "path" && k != "max_lines" && k != "tags" {
			unknown = k
		}
	}
	if string(m["tags"]) == `["never"]` {
		unknown = "tags"
	}
	if unknown == "" {
		return "", ""
	}
	switch strings.TrimPrefix(name, "strict_") {
	case "rpc", "begun":
		return "Invalid params: unknown field `" + unknown + "`", ""
	case "zod":
		return "", "MCP error -32602: Input validation error: Invalid arguments for tool " + name + ": Unrecognized key: " + unknown
	case "issues":
		return "", `[{"code":"unrecognized_keys","keys":["` + unknown + `"],"path":[],"message":"Unrecognized key"}]`
	case "pydantic":
		return "", "Error executing tool " + name + ": 1 validation error for " + name + "Arguments\n" + unknown + "\n  Extra inputs are not permitted"
	case "jsonschema":
		return "", "Input validation error: Additional properties are not allowed ('" + unknown + "' was unexpected)"
	case "body": // of what the tool has fetched
		return "", `[{"code":"invalid_type","expected":"string","path":["rows",0,"title"],"message":"Required"}]`
	case "model":
		return "", "Error executing tool " + name + ": 1 validation error for Page\ntitle\n  Field required"
	}
	return "", "the disk is full"
}

// Errors say for programs which server and tool they are about, and what.
func TestErrorsHaveData(t *testing.T) {
	w := newWorld(t, map[string]string{"a": lake + "," + simple("refuse") + "," + simple("teach")})
	w.names()
	for _, c := range []struct{ tool, args, want string }{
		{"a__lake_depth", `{}`, `{"details":[{"path":"name","message":"required, a string"}],"server":"a","tool":"lake_depth"}`},
		{"a__refuse", `{}`, `{"details":{"code":-32000},"server":"a","tool":"refuse"}`},
		{"a__lake_dept", `{}`, `{"details":{"nearest":"a__lake_depth"},"tool":"a__lake_dept"}`},
	} {
		_, err := w.run(c.tool, c.args)
		_, e := contract.AsError(err)
		got, _ := json.Marshal(e.Data.Members())
		if string(got) != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.tool, got, c.want, err)
		}
	}
	if _, err := w.run("a__lake_depth", `{"name":["sk-proj-`+strings.Repeat("Ab3dE5gH7", 5)+`",1]}`); err == nil || strings.Contains(err.Error(), "Ab3dE5gH7Ab3") {
		t.Errorf("a secret came back: %v", err)
	}
}

// FuzzRefusesArguments: whatever a server answers, reading it breaks nothing, and a result that is no error is none.
// What a tool says of its own work is no refusal: the work may be done, and would be done twice.
func TestAFailureOfTheToolsOwnIsNoRefusal(t *testing.T) {
	d, _ := define(offered{raw: json.RawMessage(lake), shown: json.RawMessage(lake)})
	at := &tool{UpstreamTool: &catalog.UpstreamTool{Name: "lake_depth"}, def: d}
	for text, want := range map[string]bool{
		"Invalid arguments for lake_depth: name: Required":                                             true,
		"Error: Invalid arguments for tool lake_depth: x":                                              true,
		"Input validation error: 'name' is a required property":                                        true,
		"Additional properties are not allowed ('nme' was unexpected)":                                 true,
		"Invalid arguments: row 3 of 9 was refused, and the others are written":                        false,
		"Invalid arguments for commit: the branch was made":                                            false,
		"Additional properties are not allowed ('title' was unexpected)":                               false,
		"The order was made. Input validation error: its note is too long":                             false,
		"Error executing tool lake_depth: 1 validation error for Order\nnote\n":                        false,
		`[{"code":"too_big","path":["order","note"],"message":"the order was made without its note"}]`: false,
	} {
		raw, _ := rawjson.Marshal(map[string]any{"isError": true, "content": []any{map[string]any{"type": "text", "text": text}}})
		if got := refusesArguments(at, json.RawMessage(`{"nme":"Garda"}`), raw, nil); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func FuzzRefusesArguments(f *testing.F) {
	for _, s := range []string{`{"isError":true,"content":[{"type":"text","text":"[{\"code\":\"x\",\"path\":[1]}]"}]}`, `{"isError":true,"content":[{"text":"'name' is a required property"}]}`, `[]`, ``} {
		f.Add(s)
	}
	d, _ := define(offered{raw: json.RawMessage(lake), shown: json.RawMessage(lake)})
	lakeTool := &tool{UpstreamTool: &catalog.UpstreamTool{Name: "lake_depth"}, def: d}
	f.Fuzz(func(t *testing.T, s string) {
		if refusesArguments(lakeTool, nil, json.RawMessage(s), nil) && !strings.Contains(s, "rror") {
			t.Errorf("%s is no refusal", s)
		}
		if refusesArguments(lakeTool, nil, json.RawMessage(s), &upstream.RPCError{Code: -32000, Message: s}) {
			t.Errorf("%s is the tool's own failure", s)
		}
	})
}

// Of how many arguments a call has, each costs about the same to compare, and notes do not grow without end.
func TestTellingOfManyArguments(t *testing.T) {
	clocktest.Linear(t, 1000, func(n int) func() {
		given, took := make([]string, n), make([]string, n)
		for i := range n {
			given[i], took[i] = fmt.Sprintf(`"a%d":"x,y"`, i), fmt.Sprintf(`"a%d":["x,y"]`, i)
		}
		before, after := json.RawMessage("{"+strings.Join(given, ",")+`,"none":""}`), json.RawMessage("{"+strings.Join(took, ",")+"}")
		result := json.RawMessage(`{"content":[]}`)
		return func() {
			if names := mendedNames(before, after); len(names) != n+1 || names[n] != "none" {
				t.Fatalf("%d of %d are mended", len(names), n+1)
			}
			if told := tellDoubtful(result, before, after, &masker{}); len(told) > 300 || !strings.Contains(string(told), "a0, a1, ") {
				t.Fatalf("%d bytes: %s", len(told), told[:min(len(told), 300)])
			}
		}
	})
}
