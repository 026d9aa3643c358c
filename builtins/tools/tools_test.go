package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// shelf is a catalog without servers behind it.
type shelf struct {
	tools    catalog.UpstreamTools
	executed []string
	failed   []catalog.UpstreamServer
	before   *catalog.UpstreamTools // what is known before one waits; nil: the same
	waits    int
}

func (s *shelf) Servers() []catalog.UpstreamServer {
	return append([]catalog.UpstreamServer{{Name: "lake", State: "ready", Tools: len(s.tools.List)}}, s.failed...)
}
func (s *shelf) Tools(context.Context, ...string) *catalog.UpstreamTools {
	s.waits++
	return &s.tools
}
func (s *shelf) Known(context.Context) *catalog.UpstreamTools {
	if s.before != nil {
		return s.before
	}
	return &s.tools
}
func (s *shelf) Find(_ context.Context, name, _ string) (*catalog.UpstreamTool, error) {
	for _, t := range s.tools.List {
		if t.Listed == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no tool %s", name)
}
func (s *shelf) Fetch(_ context.Context, w catalog.Fetch) (*contract.ToolResult, error) {
	return &contract.ToolResult{Raw: json.RawMessage(`{"content":[{"type":"text","text":"` + w.ID + w.Query + `"}]}`)}, nil
}

func (s *shelf) PassThrough() catalog.Upstreams { return s }

func (s *shelf) Execute(_ context.Context, name, server string, args json.RawMessage) (*contract.ToolResult, error) {
	s.executed = append(s.executed, name+"@"+server+" "+string(args))
	return &contract.ToolResult{Raw: json.RawMessage(`{"content":[]}`)}, nil
}

func newShelf(n int) *shelf {
	s := &shelf{}
	for i := range n {
		s.tools.List = append(s.tools.List, &catalog.UpstreamTool{Server: "lake", Name: fmt.Sprintf("measure_depth_%d", i),
			Listed: fmt.Sprintf("lake__measure_depth_%d", i), Description: "Measure the depth of a lake. It takes a while.", Enabled: true,
			Tags: []string{"water"}, Uses: func() int { return 0 },
			Params: []catalog.UpstreamParam{{Name: "unit", Type: "string", Enum: []string{"m", "ft"}}, {Name: "name", Type: "string", Required: true}}})
	}
	s.tools.List[n-1].Enabled, s.tools.List[n-1].Why = false, "toolRules[0] disables it"
	return s
}

func run[T any](t *testing.T, b catalog.Builtin, up catalog.Upstreams, input map[string]any) (T, error) {
	t.Helper()
	v, err := b.Run(t.Context(), &catalog.Env{Upstreams: up, Progress: func(catalog.Progress) {}}, input)
	out, _ := v.(T)
	return out, err
}

// same masks nothing.
func same(s string) string { return s }

func TestSearch(t *testing.T) {
	s := newShelf(30)
	out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "measure the depth of a lake", "limit": 20})
	if err != nil || len(out.Tools) != 20 {
		t.Fatalf("%d tools, %v", len(out.Tools), err)
	}
	first := out.Tools[0]
	if first.Does != "Measure the depth of a lake" || first.Args != "name: string, unit?: m|ft" || first.Why == "" {
		t.Errorf("first: %+v", first)
	}
	if last := out.Tools[19]; last.Args != "" || last.Does == "" {
		t.Errorf("last: %+v", last)
	}
	for _, f := range out.Tools {
		if f.Tool == "lake__measure_depth_29" {
			t.Error("a disabled tool was shown")
		}
	}
	none, _ := run[SearchOut](t, Search(same), s, map[string]any{"query": "xylophone quarterly"})
	if len(none.Tools) != 0 || !strings.HasPrefix(none.Note, "nothing fits") || !strings.Contains(none.Note, "xylophone") {
		t.Errorf("nothing: %+v", none)
	}
	if first.Tool == "" || out.Unsure != "" {
		t.Errorf("unsure of what fits: %s", out.Unsure)
	}
	if _, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "depth", "server": "sea"}); err == nil || !strings.Contains(err.Error(), "there are: lake") {
		t.Errorf("another server: %v", err)
	}
	all, _ := run[SearchOut](t, Search(same), s, map[string]any{"query": "measure_depth_29", "include_disabled": true})
	if len(all.Tools) == 0 || all.Tools[0].Disabled != "toolRules[0] disables it" {
		t.Errorf("with disabled ones: %+v", all.Tools)
	}
}

// A limit never cuts what the query names, however the words of the names rank.
func TestSearchShowsAllThatIsNamed(t *testing.T) {
	s := newShelf(120)
	add := func(server, name, does string) {
		s.tools.List = append(s.tools.List, &catalog.UpstreamTool{Server: server, Name: name, Listed: server + "__" + name, Description: does, Enabled: true, Uses: func() int { return 0 }})
	}
	for _, server := range []string{"graph", "spare"} {
		for name, does := range map[string]string{"search_graph": "Search the knowledge graph", "trace_path": "Trace a call path", "get_code_snippet": "Read code of a symbol",
			"query_graph": "Run a Cypher query", "search_code": "Grep in indexed code", "index_repository": "Index a repository", "ask": "Ask it", "delete": "Delete it"} {
			add(server, name, does)
		}
	}
	for query, want := range map[string][]string{
		"search_graph trace_path get_code_snippet query_graph search_code index_repository": {"graph__search_graph", "spare__trace_path", "graph__get_code_snippet", "spare__query_graph", "graph__search_code", "spare__index_repository"},
		"use `spare__trace_path`, graph__search_graph and lake__measure_depth_7.":           {"spare__trace_path", "graph__search_graph", "lake__measure_depth_7"},
		"GRAPH__QUERY_GRAPH":               {"graph__query_graph"},
		"ask delete":                       {"graph__ask", "graph__delete", "spare__ask", "spare__delete"},
		"xylophone quarterly search_graph": {"graph__search_graph", "spare__search_graph"},
	} {
		out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": query, "limit": 1})
		var got []string
		for _, f := range out.Tools {
			got = append(got, f.Tool)
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s: %s is not in %v, %v", query, name, got, err)
			}
		}
	}
	if out, _ := run[SearchOut](t, Search(same), s, map[string]any{"query": "delete the depth of a lake", "limit": 3}); len(out.Tools) > 3 {
		t.Errorf("a word that is a name too shows %+v", out.Tools)
	}
}

// A model is spared what a program or a person wants to know of a hit.
func TestSearchSaysMoreOnDemand(t *testing.T) {
	s := newShelf(8)
	s.tools.List[1].Description, s.tools.List[2].Listed = "Measure the height of a hill.", "bare_name"
	short, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "measure the depth of a lake"})
	if err != nil || len(short.Tools) != 5 {
		t.Fatalf("%d tools, %v", len(short.Tools), err)
	}
	for _, f := range short.Tools {
		if f.Relevance != 0 || f.Tags != nil || (f.Server != "") != (f.Tool == "bare_name") {
			t.Errorf("for a model: %+v", f)
		}
	}
	full, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "measure the depth of a lake", "detail": true, "limit": 8})
	if err != nil || len(full.Tools) != 7 {
		t.Fatalf("%d tools, %v", len(full.Tools), err)
	}
	last := 1.0
	for _, f := range full.Tools {
		if f.Server != "lake" || !slices.Equal(f.Tags, []string{"water"}) || f.Relevance <= 0 || f.Relevance > last {
			t.Errorf("in detail: %+v after %v", f, last)
		}
		last = f.Relevance
	}
	if hill := full.Tools[6]; hill.Tool != "lake__measure_depth_1" || hill.Relevance >= full.Tools[0].Relevance {
		t.Errorf("the worst: %+v", hill)
	}
}

// A tool that nobody has approved is found by its name; the text in place of its description is no part of it.
func TestSearchFindsWhatWaitsForApprovalByItsName(t *testing.T) {
	s := newShelf(3)
	s.tools.List = append(s.tools.List, &catalog.UpstreamTool{Server: "lake", Name: "drain_swamp", Listed: "lake__drain_swamp",
		Description: catalog.Withheld, Why: "waits", Uses: func() int { return 0 }})
	out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "drain a swamp", "include_disabled": true})
	if err != nil || len(out.Tools) != 1 || out.Tools[0].Tool != "lake__drain_swamp" || out.Tools[0].Disabled != "waits" || out.Tools[0].Args != "" {
		t.Errorf("%+v, %v", out, err)
	}
	if out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "shown user approved", "include_disabled": true}); err != nil || len(out.Tools) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// Tools of other servers are no answer where one was named, but a word about them is.
func TestSearchOfOneServerSaysWhatOthersHave(t *testing.T) {
	s := newShelf(3)
	for _, u := range s.tools.List[1:] {
		u.Server, u.Listed = "sea", "sea__"+u.Name
	}
	s.tools.List[0].Name, s.tools.List[0].Description = "read_mail", "Reads the mail."
	out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "measure the depth", "server": "lake", "include_disabled": true})
	if err != nil || len(out.Tools) != 0 || out.Note != "nothing fits of this server; of others: sea__measure_depth_1" {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestUnsureStandsBeforeTheTools: a model reads from the top.
// Who asks one server need not know that another is late.
func TestOnlyWhatWasAskedForIsPending(t *testing.T) {
	s := newShelf(3)
	s.tools.Pending = []string{"sea"}
	for server, want := range map[string]bool{"": true, "lake": false} {
		found, _ := run[SearchOut](t, Search(same), s, map[string]any{"query": "depth", "server": server})
		listed, _ := run[ListOut](t, List(), s, map[string]any{"server": server})
		if strings.Contains(found.Note, "of sea") != want || strings.Contains(listed.Note, "of sea") != want {
			t.Errorf("server %q: %q, %q", server, found.Note, listed.Note)
		}
	}
	s.tools.Pending = []string{"lake"}
	if out, _ := run[ListOut](t, List(), s, map[string]any{"server": "lake"}); !strings.Contains(out.Note, "of lake") {
		t.Errorf("its own: %q", out.Note)
	}
}

func TestUnsureStandsBeforeTheTools(t *testing.T) {
	s := newShelf(1)
	for i, name := range []string{"resize_picture", "list_pictures", "read_mail"} {
		tool := *s.tools.List[0]
		tool.Name, tool.Listed, tool.Description, tool.Enabled, tool.Params = name, "lake__"+name, "Works on what is there.", true, nil
		if i == 1 {
			tool.Description = "Lists the printed pictures."
		}
		s.tools.List = append(s.tools.List, &tool)
	}
	out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": "print an invoice label for my parcel"})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(out)
	if want := `{"unsure":"None of these says \"invoice\", \"label\" or \"parcel\": they are the nearest, look before you call.","tools":[{`; !strings.HasPrefix(string(text), want) {
		t.Errorf("%s\nwant it to begin with %s", text, want)
	}
}

// A query is cut into words in small letters, in which nobody finds a secret on the way out.
func TestSearchRepeatsNoSecrets(t *testing.T) {
	mask := func(s string) string { out, _ := redact.Default().Redact(s); return out }
	const key, password = "0yiem027uc9l230soozpjntivsqweeftw2wb", "hunter2xq77"
	for _, query := range []string{"measure gh" + "p_" + strings.ToUpper(key[:9]) + key[9:], "depth gh" + "p_" + key + " of the invoice", "gh" + "p_" + key, "list lakes password=" + password} {
		out, err := run[SearchOut](t, Search(mask), newShelf(30), map[string]any{"query": query})
		text, _ := json.Marshal(out)
		if err != nil || strings.Contains(string(text), key[9:]) || strings.Contains(string(text), password) {
			t.Errorf("%s: %s %v", query, text, err)
		}
		if strings.Contains(query, "invoice") && !strings.Contains(string(text), "invoice") {
			t.Errorf("%s: the words beside are gone: %s", query, text)
		}
	}
}

func TestListPages(t *testing.T) {
	s := newShelf(30)
	var seen int
	for offset := 0; ; {
		out, err := run[ListOut](t, List(), s, map[string]any{"offset": offset, "tag": "WATER"})
		if err != nil {
			t.Fatal(err)
		}
		seen += len(out.Tools)
		if out.Note == "" {
			break
		}
		offset = seen
	}
	if seen != 29 {
		t.Errorf("%d tools on all pages", seen)
	}
}

func TestWithoutServersItSaysHowToGetThem(t *testing.T) {
	for _, b := range All(same) {
		if b.Caps&catalog.Upstream == 0 { // it decides about lists that it is given
			continue
		}
		_, err := b.Run(t.Context(), &catalog.Env{}, map[string]any{"query": "x", "tool": "x", "call": map[string]any{}})
		if err == nil || !strings.Contains(err.Error(), "compactor import") && !strings.Contains(err.Error(), "input") {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func TestSignature(t *testing.T) {
	tool := &catalog.UpstreamTool{}
	for i := range 30 {
		tool.Params = append(tool.Params, catalog.UpstreamParam{Name: fmt.Sprintf("argument_%d", i), Type: "string", Required: i == 29})
	}
	got := signature(tool)
	if !strings.HasPrefix(got, "argument_29: string, argument_0?: string") || !strings.HasSuffix(got, lossy) || len(got) > maxSignature+len(lossy) {
		t.Errorf("signature: %s", got)
	}
	for want, p := range map[string]catalog.UpstreamParam{
		"x: (a|b)[]":                         {Name: "x", Type: "(a|b)[]", Enum: []string{"a", "b"}, Required: true},
		"x: {page: string} | {base: string}": {Name: "x", Type: "{page: string} | {base: string}", Required: true},
		"x?: a|b":                            {Name: "x", Type: "string", Enum: []string{"a", "b"}},
		"x?: any":                            {Name: "x"},
	} {
		if diff := cmp.Diff(want, formatArgument(p)); diff != "" {
			t.Error(diff)
		}
	}
	many := catalog.UpstreamParam{Name: "x", Enum: strings.Fields("a b c d e f g h")}
	if diff := cmp.Diff("x?: a|b|c|d|e|f|…", formatArgument(many)); diff != "" {
		t.Error(diff)
	}
}

func TestDoes(t *testing.T) {
	for in, want := range map[string]string{
		"":      "",
		"Short": "Short",
		"Reads e.g. a file of the user. And more": "Reads e.g. a file of the user",
		strings.Repeat("wörd ", 60):               "",
	} {
		got := describeTool(&catalog.UpstreamTool{Description: in}, 90)
		if want != "" && got != want || len(got) > 90+len("…") {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// Whatever a model writes as a call is read without a crash, and a name that is
// there is found.
func FuzzReadCall(f *testing.F) {
	for _, s := range []string{`{"tool":"a","arguments":{}}`, `"{\"tool\":\"a\"}"`, `{"tool":{"name":"a","arguments":"{}"}}`, `[]`, `{"arguments":{"tool":"a"}}`, `{"tool":1}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := readCall(json.RawMessage(s))
		var m struct{ Tool string }
		if json.Unmarshal([]byte(s), &m) == nil && strings.TrimSpace(m.Tool) != "" && strings.Contains(s, `"tool"`) && c.tool == "" {
			t.Errorf("%s: the name is lost", s)
		}
	})
}

// What a server has that cannot be reached is not known, and that is not nothing.
func TestAServerThatCannotBeReachedIsAnErrorWhereItIsNamed(t *testing.T) {
	s := newShelf(2)
	s.tools.Pending = []string{"sea", "pond"}
	s.failed = []catalog.UpstreamServer{{Name: "sea", State: "failing", Problem: "it is frozen"}, {Name: "pond", State: "starting"}}
	for _, b := range []catalog.Builtin{Search(same), List()} {
		at := func(server string) error {
			in := map[string]any{"query": "depth", "server": server}
			if b.Name == List().Name {
				delete(in, "query")
			}
			_, err := run[any](t, b, s, in)
			return err
		}
		err := at("SEA")
		if _, e := contract.AsError(err); err == nil || e.Code != "SERVER_CONNECTION_ERROR" || !strings.Contains(e.Message, "it is frozen; ") ||
			!strings.Contains(e.Message, "compactor servers sea") {
			t.Errorf("%v", err)
		}
		for _, server := range []string{"", "lake", "pond"} {
			if err := at(server); err != nil {
				t.Errorf("at %q: %v", server, err)
			}
		}
	}
}

// A server that is late costs nothing where the others have the answer.
func TestASearchWaitsOnlyWithoutAnAnswer(t *testing.T) {
	for query, want := range map[string]int{"measure the depth of a lake": 0, "xylophone quarterly": 1, "measure the quarterly xylophone": 1} {
		s := newShelf(3)
		s.before = &catalog.UpstreamTools{List: s.tools.List, Pending: []string{"sea"}}
		if _, err := run[SearchOut](t, Search(same), s, map[string]any{"query": query}); err != nil || s.waits != want {
			t.Errorf("%q waits %d times, want %d: %v", query, s.waits, want, err)
		}
		s.before.Pending, s.waits = nil, 0
		if _, err := run[SearchOut](t, Search(same), s, map[string]any{"query": query}); err != nil || s.waits != 0 {
			t.Errorf("%q waits for nobody: %v", query, err)
		}
	}
}

// What is asked for amiss is said, with what was meant.
func TestMistakenQuestions(t *testing.T) {
	s := newShelf(3)
	name := s.Servers()[0].Name
	_, err := run[SearchOut](t, Search(same), s, map[string]any{"query": " "})
	if err == nil || !strings.Contains(err.Error(), "query is empty: say") {
		t.Errorf("an empty query: %v", err)
	}
	_, err = run[ListOut](t, List(), s, map[string]any{"server": name + "x"})
	if err == nil || !strings.Contains(err.Error(), "did you mean "+name+"?") {
		t.Errorf("a misspelt server: %v", err)
	}
}

// A definition of any size is shown within its bound, and what is cut can be asked for.
func TestShowIsBounded(t *testing.T) {
	var values, fields []string
	for i := range 3000 {
		values = append(values, fmt.Sprintf("%q", fmt.Sprint("value-", i)))
		fields = append(fields, fmt.Sprintf(`"f%d":{"type":"string"}`, i))
	}
	s := newShelf(3)
	s.tools.List[0].Input = json.RawMessage(`{"type":"object","properties":{"kind":{"enum":[` + strings.Join(values, ",") + `]},"of":{"type":"object","properties":{` +
		strings.Join(fields, ",") + `}}},"required":["kind"]}`)
	s.tools.List[0].Output, s.tools.List[0].Description = s.tools.List[0].Input, strings.Repeat("It measures the depth of a lake. ", 2000)
	name := s.tools.List[0].Listed
	for _, room := range []int{200, 1000, 4000} {
		out, err := run[ShowOut](t, Show(), s, map[string]any{"tool": name, "tokens": room})
		text, _ := json.Marshal(out)
		if n := tokens.Count(string(text)); err != nil || n > room+200 {
			t.Errorf("%d tokens, not %d: %v", n, room, err)
		}
		for _, part := range []string{"description: the last", "kind: ", "of: ", "of the result, kind: "} {
			if !strings.Contains(strings.Join(out.LeftOut, "\n"), part) {
				t.Errorf("at %d tokens nothing tells that %s is cut: %q", room, part, out.LeftOut)
			}
		}
	}
	whole, err := run[ShowOut](t, Show(), s, map[string]any{"tool": name})
	if err != nil || len(whole.InputSchema) != len(s.tools.List[0].Input) || whole.LeftOut != nil {
		t.Errorf("without a bound: %d bytes, %q, %v", len(whole.InputSchema), whole.LeftOut, err)
	}
	one, err := run[ShowOut](t, Show(), s, map[string]any{"tool": name, "property": "of.f2999", "tokens": 200})
	if err != nil || string(one.InputSchema) != `{"type":"string"}` || one.LeftOut != nil {
		t.Errorf("one argument: %+v, %v", one, err)
	}
	if _, err := run[ShowOut](t, Show(), s, map[string]any{"tool": name, "property": "oof"}); err == nil || !strings.Contains(err.Error(), `has no argument "oof"; it has: kind, of`) {
		t.Errorf("an argument that it does not have: %v", err)
	}
}
