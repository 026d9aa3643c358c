package tools

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/toolrank"
)

// SearchIn is the input of tools.search.
type SearchIn struct {
	Query           string `json:"query" doc:"what the tool should do, in plain words"`
	Server          string `json:"server,omitempty" doc:"only tools of this server"`
	Limit           int    `json:"limit" doc:"tools at most" default:"5" min:"1" max:"50"`
	IncludeDisabled bool   `json:"include_disabled" doc:"also tools that cannot be run" default:"false"`
	Detail          bool   `json:"detail" doc:"also the server, the tags and the relevance of each, for programs and people" default:"false"`
}

// SearchOut lists the tools found, best first.
type SearchOut struct {
	Unsure string  `json:"unsure,omitempty" doc:"that the tools are only the nearest, and which words of the query none of them has"`
	Tools  []Found `json:"tools" doc:"the best first; empty when nothing fits"`
	Note   string  `json:"note,omitempty" doc:"why there is nothing, or what is missing"`
}

// Whole marks the value as never cut: the caller chose its length.
func (SearchOut) Whole() {}

// Found is a matching tool. Hits far down a long list have no arguments and no reasons: no one
// reads them there.
type Found struct {
	Tool     string `json:"tool" doc:"name to run it by"`
	Does     string `json:"does" doc:"what it does"`
	Args     string `json:"args,omitempty" doc:"arguments; ? marks those that may be left out"`
	Hints    string `json:"hints,omitempty" doc:"read-only or destructive"`
	Why      string `json:"why,omitempty" doc:"words of the query that matched, and where"`
	Disabled string `json:"disabled,omitempty" doc:"why it cannot be run"`

	Server    string   `json:"server,omitempty" doc:"that runs it; left out where the name of the tool says it"`
	Tags      []string `json:"tags,omitempty" doc:"given by the configuration"`
	Relevance float64  `json:"relevance,omitempty" doc:"0 to 1: how well it fits, and how sure that is"`
}

// Bytes of a description in a list of hits and in a plain list.
const (
	doesInSearch = 160
	doesInList   = 90
)

// inFull is the number of hits with arguments and reasons.
const inFull = 10

// Search returns tools.search. It repeats only those words of a query that mask leaves unchanged: a
// single word of a secret could no longer be recognized as one.
func Search(mask func(string) string) catalog.Builtin {
	search := func(ctx context.Context, env *catalog.Env, in SearchIn) (SearchOut, error) {
		return search(ctx, env, in, mask)
	}
	return catalog.New("tools.search", "Find upstream tools by what they do, best first, or say that none surely fits or that nothing does", catalog.Upstream, search)
}

// search waits for servers whose tools are unknown only if the known ones give no sure answer.
func search(ctx context.Context, env *catalog.Env, in SearchIn, mask func(string) string) (SearchOut, error) {
	if strings.TrimSpace(in.Query) == "" {
		return SearchOut{Tools: []Found{}}, &contract.Error{Name: "ValidationError", Code: "VALIDATION_ERROR", Message: "query is empty: say in a few words what the tool should do"}
	}
	out, missing, err := searchIn(ctx, env, in, mask, false)
	if missing && (len(out.Tools) == 0 || out.Unsure != "") {
		out, _, err = searchIn(ctx, env, in, mask, true)
	}
	return out, err
}

// searchable is the data of a catalog that searches need.
type searchable struct {
	index *toolrank.Index
	named map[string][]int
}

// searchIn also reports whether the tools of a server in question are unknown.
func searchIn(ctx context.Context, env *catalog.Env, in SearchIn, mask func(string) string, wait bool) (SearchOut, bool, error) {
	out := SearchOut{Tools: []Found{}}
	_, tools, server, err := catalogOf(ctx, env, in.Server, wait)
	if err != nil {
		return out, false, err
	}
	missing := pendingNote(tools.Pending, server)
	known := tools.Derive(func(t *catalog.UpstreamTools) any { return &searchable{toolrank.New(rankingDocs(t)), byNames(t)} }).(*searchable)
	index := known.index
	keep := func(i int) bool {
		t := tools.List[i]
		return (t.Enabled || in.IncludeDisabled) && (server == "" || t.Server == server)
	}
	res := index.Search(in.Query, toolrank.Options{Limit: in.Limit, Keep: keep, Uses: func(i int) int { return tools.List[i].Uses() }})
	named, words := namedIn(known.named, in.Query, keep)
	res = withNamed(res, named, words, in.Limit)
	if masked := mask(in.Query); masked != in.Query {
		masked = strings.ToLower(masked)
		res.Missed = slices.DeleteFunc(res.Missed, func(word string) bool { return !strings.Contains(masked, word) })
	}
	for i, h := range res.Hits {
		t := tools.List[h.Doc]
		f := Found{Tool: t.Listed, Does: describeTool(t, doesInList)}
		if i < inFull {
			f = Found{Tool: t.Listed, Does: describeTool(t, doesInSearch), Args: signature(t), Hints: t.Hints, Why: strings.Join(h.Why, ", ")}
		}
		if !t.Enabled {
			f.Disabled = t.Why
		}
		switch {
		case in.Detail:
			f.Server, f.Tags, f.Relevance = t.Server, t.Tags, relevance(res, h)
		case !strings.Contains(strings.ToLower(t.Listed), strings.ToLower(t.Server)): // the tool's name does not include it
			f.Server = t.Server
		}
		out.Tools = append(out.Tools, f)
	}
	out.Unsure = unsureNote(res)
	var others []string
	if server != "" && len(res.Hits) == 0 {
		others = toolsElsewhere(index, tools, in.Query, server)
	}
	out.Note = joinNotes(nothingNote(res, len(tools.List), others), unshownNote(len(named)), missing)
	return out, missing != "", nil
}

// relevance returns a hit's score relative to the best, times the likelihood that the best fits.
func relevance(r toolrank.Result, h toolrank.Hit) float64 {
	best := r.Hits[0].Score
	if best <= 0 {
		return 0
	}
	return math.Round(100*min(1, h.Score/best)*r.Confidence) / 100
}

// unsureNote says that the tools found are only the nearest. It precedes them: a model that reads the
// list first takes it for an answer.
func unsureNote(r toolrank.Result) string {
	if !r.Unsure {
		return ""
	}
	if len(r.Missed) == 0 { // all telling words are secrets
		return "None of these surely fits: they are the nearest, look before you call."
	}
	var words []string
	for _, w := range r.Missed {
		words = append(words, strconv.Quote(w))
	}
	text := words[len(words)-1]
	if len(words) > 1 {
		text = strings.Join(words[:len(words)-1], ", ") + " or " + text
	}
	who := "None of these says "
	if r.Apart {
		who = "The first of these does not say "
	}
	return who + text + ": they are the nearest, look before you call."
}

// toolsElsewhere returns the best three tools of the other servers.
func toolsElsewhere(index *toolrank.Index, tools *catalog.UpstreamTools, query, server string) (names []string) {
	others := func(i int) bool { return tools.List[i].Enabled && tools.List[i].Server != server }
	for _, h := range index.Search(query, toolrank.Options{Limit: 3, Keep: others}).Hits {
		names = append(names, tools.List[h.Doc].Listed)
	}
	return names
}

// nothingNote says that nothing matches, which words the nearest tools lack and where to look.
func nothingNote(r toolrank.Result, all int, others []string) string {
	if len(r.Hits) > 0 {
		return ""
	}
	text := "nothing fits"
	if len(others) > 0 {
		return text + " of this server; of others: " + strings.Join(others, ", ")
	}
	if all == 0 {
		return text + ": there are no tools"
	}
	if len(r.Missed) > 0 {
		who := "no tool says"
		if len(r.Near) > 0 {
			who = "the nearest do not say"
		}
		text += "; " + who + ": " + strings.Join(r.Missed, ", ")
	}
	if len(r.Near) > 0 {
		text += "; nearest servers: " + strings.Join(r.Near, ", ") + " (list_tools)"
	}
	return text
}

// rankingDocs converts the tools for the ranking, in the catalog's order.
func rankingDocs(t *catalog.UpstreamTools) []toolrank.Doc {
	out := make([]toolrank.Doc, len(t.List))
	for i, u := range t.List {
		d := toolrank.Doc{Name: u.Name, Title: u.Title, Description: u.Description, Server: u.Server, ServerText: u.About, Tags: u.Tags, Keywords: u.Keywords}
		if u.Description == catalog.Withheld { // a placeholder, not a description
			d.Description = ""
		}
		for _, p := range u.Params {
			d.Params = append(d.Params, toolrank.Param{Name: p.Name, Description: p.Description, Enum: p.Enum, Required: p.Required})
		}
		out[i] = d
	}
	return out
}
