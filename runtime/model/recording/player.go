package recording

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Player answers requests from a recording and opens no socket. It is safe for
// concurrent use. If the same request was recorded several times, the answers are
// returned in order, and then the last one again and again.
type Player struct {
	path string
	anew string // what to do if something is not recorded
	all  []Exchange

	mu     sync.Mutex
	lines  map[string][]int // key → indexes in all
	next   map[string]int   // key → number of requests so far
	misses []error
}

// Open opens a recording to replay, for a model of provider replay. Errors contain the
// file, and the line that cannot be read; errors about missing exchanges, which also
// reach replies, contain name instead of path.
func Open(path, name string) (*Player, error) {
	all, err := Read(path)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("recording %s holds no exchange", path)
	}
	return Play(name, all, "re-record it with: compactor research --record "+name+" and the provider that it was recorded from"), nil
}

// Play returns a Player for exchanges. Messages call the file name, and anew tells how
// to record it again.
func Play(name string, all []Exchange, anew string) *Player {
	p := &Player{path: name, anew: anew, all: all, lines: map[string][]int{}, next: map[string]int{}}
	for i, e := range all {
		p.lines[e.matchKey()] = append(p.lines[e.matchKey()], i)
	}
	return p
}

// Len returns the number of recorded exchanges.
func (p *Player) Len() int { return len(p.all) }

// Provider returns the adapter that the recording was made with: openai or ollama.
func (p *Player) Provider() string {
	if len(p.all) == 0 {
		return ""
	}
	return p.all[0].Provider
}

// Model returns the first model that a request names, or "", which means the one that
// is loaded.
func (p *Player) Model() string {
	for _, e := range p.all {
		v, _ := parseJSON(e.Request)
		if fields, ok := v.(map[string]any); ok {
			if name, ok := fields["model"].(string); ok && name != "" {
				return name
			}
		}
	}
	return ""
}

// URL returns a base URL for the adapter under which its requests have the recorded
// paths. The host does not exist.
func (p *Player) URL() string {
	const host = "http://recording.invalid"
	ways, usual := []string{"/chat/completions", "/embeddings", "/models"}, "/v1"
	if p.Provider() == "ollama" {
		ways, usual = []string{"/api/"}, ""
	}
	for _, way := range ways {
		for _, e := range p.all {
			own := way == "/models" && strings.HasPrefix(e.Path, "/api/v") // LM Studio's, outside the base
			if base, _, ok := strings.Cut(e.Path, way); ok && !own {
				return host + base
			}
		}
	}
	return host + usual
}

// Do answers from the recording. A request that is not in it is a *model.Error with
// code model.Unrecorded, which describes the nearest recording and where it first
// differs.
func (p *Player) Do(req *http.Request) (*http.Response, error) {
	sent, req, err := takeBody(req)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	asked := Exchange{Method: req.Method, Path: pathOf(req), Request: sent}
	e, ok := p.nextAnswer(asked.matchKey())
	if !ok {
		err := p.missError(asked)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.misses = append(p.misses, err)
		return nil, err
	}
	if e.Status == 0 {
		return nil, e.End.requestError(req)
	}
	return e.toResponse(req), nil
}

// nextAnswer returns the next answer to a request.
func (p *Player) nextAnswer(key string) (Exchange, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	places := p.lines[key]
	if len(places) == 0 {
		return Exchange{}, false
	}
	n := p.next[key]
	p.next[key]++
	return p.all[places[min(n, len(places)-1)]], true
}

// Misses returns the errors of requests that are not in the recording, in the order
// they came. The caller may have continued without an answer.
func (p *Player) Misses() []error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.misses)
}

// Unused returns the exchanges that were never requested, in the order of the file.
func (p *Player) Unused() []Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	used := map[int]bool{}
	for key, places := range p.lines {
		for _, i := range places[:min(p.next[key], len(places))] {
			used[i] = true
		}
	}
	var out []Exchange
	for i, e := range p.all {
		if !used[i] {
			out = append(out, e)
		}
	}
	return out
}

func (e Exchange) toResponse(req *http.Request) *http.Response {
	head := http.Header{}
	for name, value := range map[string]string{"Content-Type": e.ContentType, "Retry-After": e.RetryAfter} {
		if value != "" {
			head.Set(name, value)
		}
	}
	size := int64(len(e.Body))
	if e.End != Whole {
		size = -1
	}
	body := io.Reader(bytes.NewReader(e.Body))
	if e.End != Whole {
		body = io.MultiReader(body, ending{e.End})
	}
	return &http.Response{
		Status: strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))), StatusCode: e.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: head, ContentLength: size, Request: req,
		Body: io.NopCloser(body),
	}
}

// ending follows the last byte of a body that did not end well.
type ending struct{ end End }

func (e ending) Read([]byte) (int, error) { return 0, e.end.bodyError() }

var _ model.Doer = (*Player)(nil)
