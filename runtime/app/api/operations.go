package api

import (
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/mcp/sse"
)

// operation is one endpoint of the API.
type operation struct {
	method, path string
	id           string // operationId in the description
	tag          string
	summary, doc string
	query        []param
	takes        *takes
	gives        []gives // success responses
	status       []int   // error statuses specific to this operation; the common ones are added
	changes      bool    // changes persistent state, needs a token
	always       bool    // served even if the API is off
	do           func(*api, request) (*reply, error)
	plain        func(*api, http.ResponseWriter, *http.Request) // used instead of do
}

// param is a query parameter: a string, or a number if max is not 0.
type param struct {
	name, doc          string
	standard, min, max int
}

// takes describes a request body.
type takes struct {
	media   string
	most    int64
	of      *schema.Schema // for JSON
	doc     string
	example any
}

// gives describes a response body.
type gives struct {
	status  int
	media   string
	of      *schema.Schema // for JSON
	tagged  bool           // sends an ETag
	doc     string
	example any
}

// schemaOf returns the schema of a Go type.
func schemaOf[T any]() *schema.Schema { return schema.MustFromType(reflect.TypeFor[T]()) }

// jsonSuccess returns a 200 response whose body is the JSON form of T.
func jsonSuccess[T any](doc string, example any) []gives {
	return []gives{{status: 200, media: jsonMedia, of: schemaOf[T](), doc: doc, example: example}}
}

var (
	maxSessions    = param{"most", "so many of the newest", 50, 1, 1000}
	beforeSession  = param{name: "before", doc: "next of the page before this one: only older sessions"}
	profileOf      = param{name: "profile", doc: "names and sessions of this profile alone"}
	againOf        = param{name: "again", doc: "what is read again: failed for what could not be read, all for everything; left out, what changed"}
	maxPredictions = param{"most", "so many of the most wanted", 50, 1, 10_000}
)

// override is the body of POST /override.
var override = schemaOf[Override]()

// operations returns all endpoints.
var operations = sync.OnceValue(listOperations)

func listOperations() []operation {
	health := jsonSuccess[Health]("it answers", Health{"ok", "1.4.0"})
	configuration := jsonSuccess[Configuration]("what is in force", nil)
	configuration[0].tagged = true
	return []operation{
		{method: "GET", path: "/health", id: "health", tag: "state", always: true, summary: "Say that the server answers", gives: health,
			do: func(a *api, _ request) (*reply, error) { return &reply{value: Health{"ok", a.opt.Version}}, nil }},
		{method: "GET", path: "/healthz", id: "healthz", tag: "state", always: true, summary: "The same, by the name that orchestrators ask for", gives: health,
			do: func(a *api, _ request) (*reply, error) { return &reply{value: Health{"ok", a.opt.Version}}, nil }},
		{method: "GET", path: "/readyz", id: "readyz", tag: "state", always: true, summary: "Say what is ready and what is not, and why",
			doc: "Ready are a configuration without a refused edit, a store that can be read, each collection whose index can be searched, and each upstream server whose tools are known. A collection whose index is not in memory yet is ready: its cause says so. The status is 503 while something is not ready.",
			gives: append(jsonSuccess[Readiness]("everything is ready", Readiness{true, []Check{{Name: "configuration", Ready: true}}}),
				gives{status: 503, media: jsonMedia, of: schemaOf[Readiness](), doc: "something is not ready", example: Readiness{false, []Check{{Name: "server github", Cause: "it ended at once", Do: "see what is wrong with: compactor servers github"}}}}),
			do: (*api).ready},
		{method: "GET", path: "/metrics", id: "metrics", tag: "state", always: true, summary: "Counts and durations, as Prometheus reads them",
			gives: []gives{{status: 200, media: "text/plain", doc: "in the text format of Prometheus"}}, plain: (*api).metrics},
		{method: "GET", path: "/openapi.json", id: "openapi", tag: "state", always: true, summary: "This description", gives: []gives{{status: 200, media: jsonMedia, of: &schema.Schema{Type: schema.Object, Open: &schema.Schema{}}, doc: "OpenAPI 3.0"}},
			do: func(a *api, _ request) (*reply, error) { return &reply{value: a.describe()}, nil }},

		{method: "GET", path: "/config", id: "getConfig", tag: "configuration", summary: "The configuration in force, and where each value comes from",
			doc:   "Keys that are written in it are masked. The ETag is that of the file that PUT replaces.",
			query: []param{{name: "path", doc: "only what is at or below it, such as roles.locator.budget"}}, gives: configuration, status: []int{404}, do: (*api).configuration},
		{method: "GET", path: "/config/text", id: "getConfigText", tag: "configuration", changes: true, summary: "The file that PUT /config replaces, as it is",
			doc: "Nothing of it is masked: what is read here can be changed and sent back.", gives: []gives{{status: 200, media: cueMedia, tagged: true, doc: "its text; empty where there is none yet"}}, status: []int{403, 409}, do: (*api).configText},
		{method: "PUT", path: "/config", id: "putConfig", tag: "configuration", changes: true, summary: "Replace one file of your configuration",
			doc: "The whole configuration is checked with the new text before anything is written; with a mistake nothing changes, and the answer is its diagnostics. What is valid is written whole and acts at once, without a restart. " +
				"If-Match must name the file as you have seen it (the ETag of GET /config or /config/text), so that nobody's edit is lost. The file is api.cue in the last directory of yours: never in a project's.",
			takes: &takes{media: cueMedia, most: config.MaxFileSize, doc: "the new text of the file, in CUE", example: "package compactor\n\nroles: locator: budget: time: \"20s\"\n"},
			gives: jsonSuccess[Configured]("it is written, and acts", Configured{"~/.config/compactor/api.cue", "9f86d081884c7d65", []DiagnosticJSON{}}), status: []int{403, 409, 412, 422, 428, 500}, do: (*api).configure},

		{method: "GET", path: "/collections", id: "listCollections", tag: "documents", summary: "The collections of documents: how far they are, and whether they are in memory",
			gives: jsonSuccess[Collections]("the collections, by name", nil), do: (*api).collections},
		{method: "GET", path: "/collections/{name}", id: "getCollection", tag: "documents", summary: "One collection with its jobs and its problems", gives: jsonSuccess[CollectionDetail]("the collection", nil), status: []int{404}, do: (*api).collection},
		{method: "POST", path: "/collections/{name}/index", id: "postIndex", tag: "documents", changes: true, summary: "Index a collection, in the background",
			doc:   "The run goes on when the connection is closed, and after a restart where the server ended before it was done. GET /collections/{name} says how far it is. The answer is 409 while one is under way.",
			query: []param{againOf}, gives: []gives{{status: 202, media: jsonMedia, of: schemaOf[Indexing](), doc: "it has begun, or waits for another to end", example: Indexing{"manual", "9f86d081884c7d65"}}}, status: []int{403, 404, 409, 503}, do: (*api).index},

		{method: "GET", path: "/sessions", id: "listSessions", tag: "sessions", summary: "The newest sessions: tools shown, called and missed", query: []param{maxSessions, beforeSession},
			gives: jsonSuccess[Sessions]("the sessions", nil), status: []int{503}, do: (*api).sessions},
		{method: "GET", path: "/sessions/{id}", id: "getSession", tag: "sessions", summary: "One session with its calls", gives: jsonSuccess[SessionDetail]("the session", nil), status: []int{404, 503}, do: (*api).session},
		{method: "GET", path: "/predictions/{session}", id: "getPredictions", tag: "sessions", summary: "The tools that a session will want, and why", query: []param{maxPredictions},
			gives: jsonSuccess[Predictions]("the tools, the most wanted first", nil), status: []int{404, 503}, do: (*api).predictions},

		{method: "GET", path: "/tools", id: "listTools", tag: "tools", summary: "All tools that clients can reach", query: []param{profileOf},
			gives: jsonSuccess[Tools]("the tools", Tools{[]Tool{{Name: "github__search_issues", Server: "github", Description: "Search issues.", Enabled: true, Listed: true, Uses: 12}}}), status: []int{404}, do: (*api).tools},
		{method: "GET", path: "/tools/{name}/stats", id: "getToolStats", tag: "tools", summary: "How a tool of an upstream server was used",
			doc: "From what is kept of sessions (usage), of all profiles or of one. A tool that only a profile calls by this name is found without it, where one tool alone is called so. Calls of compactor's own tools are counted in /metrics.", query: []param{profileOf}, gives: jsonSuccess[Stats]("the counts", nil), status: []int{404, 409, 503}, do: (*api).stats},
		{method: "POST", path: "/override", id: "postOverride", tag: "tools", changes: true, summary: "Say that a tool is relevant, or is not",
			doc:   "It acts on the next list and is kept until it is taken back with null.",
			takes: &takes{media: jsonMedia, most: maxJSON, of: override, doc: "what is said of which tool", example: map[string]any{"tool": "github__search_issues", "relevant": true}},
			gives: jsonSuccess[Overridden]("what is said of it now", nil), status: []int{403, 404, 409, 503}, do: (*api).override},
		{method: "POST", path: "/tools/{name}", id: "runTool", tag: "run", summary: "Run one of compactor's own tools",
			doc:   "As MCP's tools/call does, with the same checks, budgets and masking. The paths below it, one for each tool, say what each takes and gives.",
			takes: &takes{media: jsonMedia, most: maxJSON, of: &schema.Schema{Type: schema.Object, Open: &schema.Schema{}}, doc: "the tool's arguments"},
			gives: toolGives(&schema.Schema{}), status: toolStatus, do: (*api).run},
		{method: "POST", path: "/ask", id: "ask", tag: "run", summary: "Answer a question",
			doc:   "Runs the tool that compactor ask runs: the one for documents and code together, or that for code alone if no collection is configured.",
			takes: &takes{media: jsonMedia, most: maxJSON, of: &schema.Schema{Type: schema.Object, Open: &schema.Schema{}}, doc: "the tool's arguments"}, gives: toolGives(&schema.Schema{}), status: toolStatus, do: (*api).ask},
	}
}

// toolStatus are the error statuses of running a tool.
var toolStatus = []int{404, 422, 500, 502, 503, 504}

// toolGives describes what running a tool gives: its output, or events that end with it.
func toolGives(output *schema.Schema) []gives {
	return []gives{{status: 200, media: jsonMedia, of: output, doc: "what the tool gives"},
		{status: 200, media: sse.Media, doc: "for Accept: text/event-stream: events progress {done, message} as it works, and at the end one event result, with what the tool gives, or problem"}}
}

func (a *api) metrics(w http.ResponseWriter, r *http.Request) {
	if a.opt.Metrics == nil {
		writeProblem(w, NewProblem(NotFound, "nothing is counted here", ""))
		return
	}
	a.opt.Metrics.ServeHTTP(w, r)
}

func (a *api) ready(r request) (*reply, error) {
	out := Readiness{Ready: true, Checks: a.opt.Source.Ready(r.Context())}
	status := http.StatusOK
	for _, c := range out.Checks {
		if !c.Ready {
			out.Ready, status = false, http.StatusServiceUnavailable
		}
	}
	return &reply{value: out, status: status}, nil
}

func (a *api) configuration(r request) (*reply, error) {
	c, err := a.opt.Source.Configuration(r.Context(), r.URL.Query().Get("path"))
	if err != nil {
		return nil, err
	}
	return &reply{value: c, tag: c.Tag}, nil
}

func (a *api) configText(r request) (*reply, error) {
	text, tag, err := a.opt.Source.Text(r.Context())
	return &reply{raw: text, kind: cueMedia, tag: tag}, err
}

// configure replaces the configuration file. A tag is required even if the file does
// not exist yet: two clients may be about to create it.
func (a *api) configure(r request) (*reply, error) {
	values := r.Header.Values("If-Match")
	tag, err := "", error(nil)
	if len(values) == 1 {
		tag, err = strconv.Unquote(strings.TrimSpace(values[0]))
	}
	if tag == "" || err != nil {
		if _, _, err := a.opt.Source.Text(r.Context()); err != nil { // no client can have the tag of a file that cannot be read
			return nil, err
		}
		return nil, NewProblem(TagNeeded, "which text is to be replaced is not said", `send the ETag of GET /config as it came: If-Match: "…"`)
	}
	c, err := a.opt.Source.Configure(r.Context(), r.body, tag)
	if err != nil {
		return nil, err
	}
	return &reply{value: c, tag: c.Tag}, nil
}

func (a *api) sessions(r request) (*reply, error) {
	most, err := r.parseNumber(maxSessions)
	if err != nil {
		return nil, err
	}
	list, err := a.opt.Source.Sessions(r.Context(), most, r.URL.Query().Get(beforeSession.name))
	return &reply{value: list}, err
}

func (a *api) session(r request) (*reply, error) {
	s, err := a.opt.Source.Session(r.Context(), r.PathValue("id"))
	return &reply{value: s}, err
}

func (a *api) predictions(r request) (*reply, error) {
	most, err := r.parseNumber(maxPredictions)
	if err != nil {
		return nil, err
	}
	p, err := a.opt.Source.Predictions(r.Context(), r.PathValue("session"), most)
	return &reply{value: p}, err
}

func (a *api) tools(r request) (*reply, error) {
	list, err := a.opt.Source.Tools(r.Context(), r.URL.Query().Get(profileOf.name))
	return &reply{value: Tools{list}}, err
}

func (a *api) stats(r request) (*reply, error) {
	s, err := a.opt.Source.Stats(r.Context(), r.PathValue("name"), r.URL.Query().Get(profileOf.name))
	return &reply{value: s}, err
}

func (a *api) override(r request) (*reply, error) {
	var o Override
	if err := decodeObject(r.body, override, &o); err != nil {
		return nil, err
	}
	out, err := a.opt.Source.Override(r.Context(), o)
	return &reply{value: out}, err
}

func (a *api) run(r request) (*reply, error) { return a.runTool(r, r.PathValue("name")) }

func (a *api) ask(r request) (*reply, error) {
	t, err := a.opt.Source.Asked()
	if err != nil {
		return nil, err
	}
	return a.runTool(r, t.Name)
}

// runTool runs a tool. A client that asks for events gets the steps as they happen.
func (a *api) runTool(r request, name string) (*reply, error) {
	if _, err := parseObject(r.body); err != nil {
		return nil, err
	}
	if !wantsEvents(r.Request) {
		out, err := a.opt.Source.Run(r.Context(), name, r.body, nil)
		return &reply{raw: out}, err
	}
	s := sse.New(r.w)
	out, err := a.opt.Source.Run(r.Context(), name, r.body, func(p CallProgress) { sendEvent(s, "progress", p) })
	switch {
	case !s.Opened && err != nil: // an error that needs no stream has its status
		return nil, err
	case err != nil:
		sendEvent(s, "problem", toProblem(err))
	default:
		sendEvent(s, "result", out)
	}
	return nil, nil
}

// wantsEvents reports whether a request names the media type of events.
func wantsEvents(r *http.Request) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(r.Header.Values("Accept"), ","), ","), func(part string) bool {
		media, of, err := mime.ParseMediaType(part)
		weight, none := strconv.ParseFloat(of["q"], 64)
		return err == nil && media == sse.Media && (none != nil || weight > 0)
	})
}

// sendEvent sends a value as an event. A client that is gone has ended the request.
func sendEvent(s *sse.Writer, name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		sendEvent(s, "problem", toProblem(err))
		return
	}
	_ = s.Send(name, string(data))
}
