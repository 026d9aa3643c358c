package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Source provides what the API reports and changes. It returns a *Problem for errors
// that the caller can act on, and masks secrets in the texts it returns.
type Source interface {
	Ready(ctx context.Context) []Check
	// Configuration returns the settings in force at and below a path; "" means all.
	Configuration(ctx context.Context, path string) (*Configuration, error)
	// Text returns the file that Configure replaces, unmasked.
	Text(ctx context.Context) (text []byte, tag string, err error)
	// Configure replaces that file if it still has the given tag, and applies it.
	Configure(ctx context.Context, text []byte, tag string) (*Configured, error)
	// Sessions returns the newest sessions first; before is the next cursor of an earlier page.
	Sessions(ctx context.Context, most int, before string) (*Sessions, error)
	Session(ctx context.Context, id string) (*SessionDetail, error)
	Predictions(ctx context.Context, session string, most int) (*Predictions, error)
	// Tools returns the tools of a profile; "" means all tools.
	Tools(ctx context.Context, profile string) ([]Tool, error)
	// Stats returns statistics of a tool, named as in the profile, from its sessions;
	// "": from all sessions.
	Stats(ctx context.Context, tool, profile string) (*Stats, error)
	Override(ctx context.Context, o Override) (*Overridden, error)
	// Collections returns the collections of the configuration.
	Collections(ctx context.Context) ([]Collection, error)
	Collection(ctx context.Context, name string) (*CollectionDetail, error)
	// Index starts a run over a collection, which continues after ctx ends. again
	// selects unchanged documents to read again: "failed", "all", or "" for none.
	Index(ctx context.Context, collection, again string) (*Indexing, error)
	// Own returns the tools that Run can run.
	Own() []OwnTool
	// Asked returns the one of them that answers questions.
	Asked() (OwnTool, error)
	// Run runs a tool. progress may be nil; it is not called after Run has returned.
	Run(ctx context.Context, tool string, arguments json.RawMessage, progress func(CallProgress)) (json.RawMessage, error)
}

// CallProgress is a step of a call.
type CallProgress struct {
	Done    float64 `json:"done" doc:"rises from one to the next" min:"0"`
	Message string  `json:"message" doc:"one line"`
}

// Health reports that the server answers.
type Health struct {
	Status  string `json:"status" enum:"ok" doc:"ok, as long as there is an answer"`
	Version string `json:"version" doc:"of compactor"`
}

// Readiness reports what is ready.
type Readiness struct {
	Ready  bool    `json:"ready" doc:"whether all checks are"`
	Checks []Check `json:"checks"`
}

// Check is the readiness of one component.
type Check struct {
	Name  string `json:"name" doc:"configuration, store, collection and its name, or server and its name"`
	Ready bool   `json:"ready"`
	Cause string `json:"cause,omitempty" doc:"why it is not, or what else is to be known of it"`
	Do    string `json:"do,omitempty" doc:"the way out"`
	Index string `json:"index,omitempty" enum:"warm,cold" doc:"of a collection: whether its index is in memory; where it is cold, the first search reads it"`
}

// Configuration is the configuration in force.
type Configuration struct {
	Layers   []Layer          `json:"layers" doc:"directories that make it up, the weakest first"`
	Settings []Setting        `json:"settings" doc:"each value with its place; keys are masked"`
	Problems []DiagnosticJSON `json:"problems" doc:"warnings, and errors of the last edit where it was refused"`
	Waits    []string         `json:"waits" doc:"what came with a project and its user has not allowed yet"`
	Allow    string           `json:"allow,omitempty" doc:"the command that shows and allows it"`
	Refused  string           `json:"refused,omitempty" doc:"why the last edit does not act"`
	File     string           `json:"file" doc:"that PUT /config replaces; empty where there is no place for it"`
	Tag      string           `json:"tag" doc:"of that file as it is now, for If-Match"`
}

// Layer is one directory of a configuration.
type Layer struct {
	Name  string `json:"name"`
	Whose string `json:"whose" enum:"built-in,yours,project"`
}

// Setting is one value and where it comes from.
type Setting struct {
	Path  string `json:"path" doc:"such as roles.locator.budget.files"`
	Value any    `json:"value"`
	From  string `json:"from" doc:"file and line, built-in, or default"`
	Whose string `json:"whose,omitempty" doc:"where a project has a layer too"`
}

// DiagnosticJSON is a problem in a configuration with its position.
type DiagnosticJSON struct {
	Code       string        `json:"code" doc:"stable; compactor help CODE explains it"`
	Severity   string        `json:"severity" enum:"error,warning"`
	File       string        `json:"file"`
	Line       int           `json:"line" doc:"from 1; 0 for the whole file" min:"0"`
	Col        int           `json:"col" doc:"in characters, from 1" min:"0"`
	EndLine    int           `json:"end_line" min:"0"`
	EndCol     int           `json:"end_col" doc:"exclusive" min:"0"`
	Path       string        `json:"path,omitempty" doc:"in the configuration"`
	Message    string        `json:"message"`
	Allowed    []string      `json:"allowed,omitempty" doc:"what could stand there"`
	Suggestion string        `json:"suggestion,omitempty" doc:"the nearest right name"`
	Related    []RelatedJSON `json:"related,omitempty" doc:"further places that it involves"`
	Help       string        `json:"help,omitempty" doc:"the way out"`
}

// RelatedJSON is a further position that a diagnostic refers to.
type RelatedJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line" min:"0"`
	Col     int    `json:"col" min:"0"`
	Message string `json:"message"`
}

// Diagnostics converts diagnostics to their JSON form.
func Diagnostics(list diag.List) []DiagnosticJSON {
	out := []DiagnosticJSON{}
	for _, d := range list {
		r := d.Range
		j := DiagnosticJSON{Code: d.Code, Severity: string(d.Severity), File: r.File, Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol,
			Path: d.Path, Message: d.Message, Allowed: d.Allowed, Suggestion: d.Suggestion, Help: d.Help}
		for _, x := range d.Related {
			j.Related = append(j.Related, RelatedJSON{x.Range.File, x.Range.Line, x.Range.Col, x.Message})
		}
		out = append(out, j)
	}
	return out
}

// Configured is the result of replacing the configuration file.
type Configured struct {
	File     string           `json:"file" doc:"that was replaced"`
	Tag      string           `json:"tag" doc:"of it now, for If-Match"`
	Warnings []DiagnosticJSON `json:"warnings"`
}

// Sessions is a page of sessions, newest first.
type Sessions struct {
	Kept     bool      `json:"kept" doc:"false where usage: enabled: false keeps none"`
	Sessions []Session `json:"sessions" doc:"the newest first"`
	Next     string    `json:"next,omitempty" doc:"for before, to have the older ones; left out where there are none"`
}

// Session is a client session in which upstream tools were listed or called.
type Session struct {
	ID      string    `json:"id"`
	Client  string    `json:"client" doc:"its name or a digest of it, as usage.clients says"`
	Version string    `json:"version" doc:"of the client, as it says; empty where usage.clients is none"`
	Era     string    `json:"era" doc:"of the protocol: handshake or stateless"`
	Profile string    `json:"profile" doc:"that it was served with; empty for none"`
	Live    bool      `json:"live" doc:"it is open in this process"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended" doc:"of its last call so far"`
	Offered int       `json:"offered" doc:"tools that there were for it"`
	Shown   []string  `json:"shown" doc:"tools that it was last listed, in order"`
	Calls   int       `json:"calls"`
	Failed  int       `json:"failed" doc:"calls that ended with an error"`
	Tools   []string  `json:"tools" doc:"that it called, in the order of the first call"`
	Missed  []string  `json:"missed" doc:"of these, those that were not on its list"`
}

// SessionDetail is a session with its calls.
type SessionDetail struct {
	Session
	List      []Call   `json:"list" doc:"its calls, the oldest first"`
	Available []string `json:"available" doc:"tools that there were for it, by name; empty where that is not kept: there were more than 4,096, or they were not listed"`
}

// Call is one call of an upstream tool.
type Call struct {
	Number    int       `json:"number" doc:"in the session, from 1" min:"1"`
	Tool      string    `json:"tool"`
	At        time.Time `json:"at"`
	ElapsedMS float64   `json:"elapsed_ms" min:"0"`
	OK        bool      `json:"ok"`
	Hidden    bool      `json:"hidden" doc:"it was not on the session's list"`
	Arguments string    `json:"arguments,omitempty" doc:"a digest: equal for equal ones"`
}

// Predictions are the tools that a session is likely to want.
type Predictions struct {
	Session string       `json:"session"`
	Profile string       `json:"profile" doc:"that the session is served with; empty for none"`
	Live    bool         `json:"live" doc:"it is open in this process"`
	Stage   string       `json:"stage" enum:"session,profile,spread,all" doc:"what there was to go by: the session's calls, what earlier ones used, words and servers alone, or nothing as all tools fit"`
	Of      int          `json:"of" doc:"tools that there are"`
	Tools   []Prediction `json:"tools" doc:"the most wanted first"`
	List    []string     `json:"list" doc:"upstream tools that it would be listed now, in order; for one that is over, those it was listed last"`
}

// Prediction is one tool with its probability.
type Prediction struct {
	Tool   string  `json:"tool"`
	Server string  `json:"server"`
	Chance float64 `json:"chance" doc:"that the session still wants it" min:"0" max:"1"`
	Tier   string  `json:"tier" enum:"used,pinned,predicted,unwanted"`
	Why    string  `json:"why" doc:"what that rests on"`
	Listed bool    `json:"listed" doc:"it is on the list"`
}

// Tools holds all tools that clients can reach.
type Tools struct {
	Tools []Tool `json:"tools"`
}

// Tool is one tool.
type Tool struct {
	Name        string `json:"name" doc:"as clients call it"`
	Server      string `json:"server" doc:"empty for one of compactor's own"`
	Description string `json:"description"`
	Enabled     bool   `json:"enabled"`
	Why         string `json:"why,omitempty" doc:"why it is not"`
	Listed      bool   `json:"listed" doc:"clients are listed it itself, as far as their lists have room"`
	Uses        int    `json:"uses" doc:"calls so far, of one of an upstream server; with a profile by its clients and those that it learns from" min:"0"`
}

// Stats are the recorded usage statistics of one tool.
type Stats struct {
	Tool        string     `json:"tool"`
	Server      string     `json:"server"`
	Calls       int        `json:"calls" min:"0"`
	Succeeded   int        `json:"succeeded" min:"0"`
	Failed      int        `json:"failed" min:"0"`
	HiddenCalls int        `json:"hidden_calls" doc:"by sessions that were not listed it" min:"0"`
	Shown       int        `json:"shown" doc:"sessions that were listed it" min:"0"`
	Used        int        `json:"used" doc:"sessions that called it" min:"0"`
	ShownUsed   int        `json:"shown_used" doc:"sessions that were listed it and called it" min:"0"`
	Sessions    int        `json:"sessions" doc:"all that are kept" min:"0"`
	Durations   *Durations `json:"durations" doc:"of its calls; null where there is none"`
	First       *time.Time `json:"first" doc:"call; null where there is none"`
	Last        *time.Time `json:"last" doc:"call"`
	With        []With     `json:"with" doc:"tools that the same sessions used, the most frequent first, 50 at most: as the profile that is named has learnt it, or the one of clients that nothing else is said of"`
}

// With is a tool that was used in the same sessions as another tool.
type With struct {
	Tool     string     `json:"tool"`
	Count    float64    `json:"count" doc:"sessions that used both, those of the past counting less (selection.half_life)" min:"0"`
	After    float64    `json:"after" doc:"of these, those that used it later" min:"0"`
	Distance float64    `json:"distance" doc:"calls between the first uses of both, on average" min:"0"`
	Last     *time.Time `json:"last" doc:"start of the latest such session; null where that is not known"`
}

// Durations summarizes how long calls took.
type Durations struct {
	MeanMS float64 `json:"mean_ms" min:"0"`
	P50MS  float64 `json:"p50_ms" min:"0"`
	P95MS  float64 `json:"p95_ms" min:"0"`
	MaxMS  float64 `json:"max_ms" min:"0"`
}

// Override is a person's statement about the relevance of a tool.
type Override struct {
	Tool     string `json:"tool" doc:"as clients call it"`
	Relevant *bool  `json:"relevant" doc:"true: always on the list; false: not on it unless it is used; null: nothing is said of it any more"`
	Profile  string `json:"profile,omitempty" doc:"of the configuration, whose lists it is for; left out, the one of clients that nothing else is said of"`
	Client   string `json:"client,omitempty" doc:"name of the client that it is for; left out, for all"`
}

// Overridden is the override in force from now on.
type Overridden struct {
	Tool     string `json:"tool"`
	Relevant *bool  `json:"relevant"`
	Profile  string `json:"profile"`
	Client   string `json:"client"`
}

// OwnTool is one of compactor's own tools, as the configuration defines it.
type OwnTool struct {
	Name, Title, Description string
	Input, Output            *schema.Schema
	ReadOnly                 bool
}
