package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Options configures the API.
type Options struct {
	Source  Source
	Metrics http.Handler // serves GET /metrics
	Version string
	// Changes reports that admitted callers have sent a token and so may change persistent state. Without a token,
	// every program of every user of this machine is admitted.
	Changes bool
	Enabled func() bool // checked for each request except health and metrics; nil: always enabled
}

// api serves the operations.
type api struct {
	opt Options
	all []operation
}

// reply is the result of an operation.
type reply struct {
	status int // 0 means 200
	value  any // sent as JSON
	raw    []byte
	kind   string // media type of raw
	tag    string
}

// New returns the handler for all paths of the API. Unknown paths are answered with a
// problem.
func New(opt Options) http.Handler {
	a := &api{opt, operations()}
	mux := http.NewServeMux()
	allowed := map[string][]string{}
	for _, o := range a.all {
		mux.Handle(o.method+" "+o.path, a.operationHandler(o))
		allowed[o.path] = append(allowed[o.path], o.method)
	}
	for path, methods := range allowed {
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead)
		}
		slices.Sort(methods)
		allow := strings.Join(methods, ", ")
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", allow)
			writeProblem(w, NewProblem(MethodNotAllowed, "this method is not served here", "use "+allow))
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeProblem(w, NewProblem(NotFound, "there is nothing at this path", "what there is stands in /openapi.json; MCP is at /mcp, the dashboard at /dashboard/"))
	})
	return mux
}

// operationHandler returns the handler of an operation.
func (a *api) operationHandler(o operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if o.plain != nil {
			o.plain(a, w, r)
			return
		}
		out, err := a.runOperation(o, w, r)
		if err != nil {
			writeProblem(w, err)
		} else if out != nil { // otherwise it is written already
			writeReply(w, out)
		}
	})
}

// runOperation checks a request and runs the operation.
func (a *api) runOperation(o operation, w http.ResponseWriter, r *http.Request) (*reply, error) {
	switch {
	case a.opt.Enabled != nil && !o.always && !a.opt.Enabled():
		return nil, NewProblem(TurnedOff, "the control API is off", "turn it on with: api: enabled: true")
	case o.changes && !a.opt.Changes:
		return nil, NewProblem(TokenNeeded, "without a token every program of this machine could ask for this", "start compactor serve with --token or COMPACTOR_TOKEN, and send it as Authorization: Bearer TOKEN")
	}
	if err := o.checkQuery(r); err != nil {
		return nil, err
	}
	in := request{Request: r, w: w}
	if o.takes != nil {
		var err error
		if in.body, err = readBody(w, r, o.takes.media, o.takes.most); err != nil {
			return nil, err
		}
	}
	return o.do(a, in)
}

// request is an HTTP request with its body already read.
type request struct {
	*http.Request
	body []byte
	w    http.ResponseWriter // for operations that send events
}

// parseNumber parses an integer query parameter; it returns the default if the parameter is missing.
func (r request) parseNumber(p param) (int, error) {
	text := r.URL.Query().Get(p.name)
	if text == "" {
		return p.standard, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < p.min || n > p.max {
		return 0, NewProblem(BadRequest, "parameter "+p.name+" is "+sanitize.Line(strconv.Quote(sanitize.Cut(text, 40))), fmt.Sprintf("give a number from %d to %d", p.min, p.max))
	}
	return n, nil
}

// checkQuery rejects query parameters that are unknown or given twice.
func (o operation) checkQuery(r *http.Request) error {
	var names []string
	for _, p := range o.query {
		names = append(names, p.name)
	}
	for name, values := range r.URL.Query() {
		if slices.Contains(names, name) && len(values) == 1 {
			continue
		}
		what, do := "parameter "+sanitize.Line(sanitize.Cut(name, 80))+" is not known here", "there is none"
		if slices.Contains(names, name) {
			what, do = "parameter "+name+" is given twice", "give it once"
		} else if near := diag.Nearest(name, names); near != "" {
			do = "did you mean " + near + "?"
		} else if len(names) > 0 {
			do = "there are: " + strings.Join(names, ", ")
		}
		return NewProblem(BadRequest, what, do)
	}
	return nil
}

// writeReply writes a reply.
func writeReply(w http.ResponseWriter, out *reply) {
	body, kind := out.raw, out.kind
	if kind == "" {
		kind = jsonMedia
		if body == nil {
			var err error
			if body, err = json.Marshal(out.value); err != nil {
				writeProblem(w, NewProblem(Internal, "the reply has no JSON form: "+err.Error(), "please report it"))
				return
			}
		}
		body = append(body[:len(body):len(body)], '\n')
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if out.tag != "" {
		h.Set("ETag", strconv.Quote(out.tag))
	}
	if out.status != 0 {
		w.WriteHeader(out.status)
	}
	_, _ = w.Write(body) // the client may have disconnected
}
