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
// concurrent use. The same request recorded several times is answered in
// order, and from then on with the last answer.
type Player struct {
	path string
	anew string // what helps where something is not recorded
	all  []Exchange

	mu     sync.Mutex
	lines  map[string][]int // key → places in all
	next   map[string]int   // key → how often it was asked
	misses []error
}

// Open reads a recording to play, for a model of provider replay. Errors name the
// file, and the line where one cannot be read; what is not recorded is told, in
// replies too, of the file name in place of path.
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

// Play makes a Player of exchanges. In messages name stands for the file, and
// anew says how to record it again.
func Play(name string, all []Exchange, anew string) *Player {
	p := &Player{path: name, anew: anew, all: all, lines: map[string][]int{}, next: map[string]int{}}
	for i, e := range all {
		p.lines[e.key()] = append(p.lines[e.key()], i)
	}
	return p
}

// Len is the number of recorded exchanges.
func (p *Player) Len() int { return len(p.all) }

// Provider is the adapter that the recording was made with: openai or ollama.
func (p *Player) Provider() string {
	if len(p.all) == 0 {
		return ""
	}
	return p.all[0].Provider
}

// Model is the first model that a request names; "" when none does, which asks
// for the one that is loaded.
func (p *Player) Model() string {
	for _, e := range p.all {
		v, _ := parsed(e.Request)
		if fields, ok := v.(map[string]any); ok {
			if name, ok := fields["model"].(string); ok && name != "" {
				return name
			}
		}
	}
	return ""
}

// URL is a base for the adapter under which its requests have the paths that
// were recorded. The host is nobody's.
func (p *Player) URL() string {
	const host = "http://recording.invalid"
	ways, usual := []string{"/chat/completions", "/embeddings", "/models"}, "/v1"
	if p.Provider() == "ollama" {
		ways, usual = []string{"/api/"}, ""
	}
	for _, way := range ways {
		for _, e := range p.all {
			own := way == "/models" && strings.HasPrefix(e.Path, "/api/v") // LM Studio's, beside the base
			if base, _, ok := strings.Cut(e.Path, way); ok && !own {
				return host + base
			}
		}
	}
	return host + usual
}

// Do answers from the recording. A request that is not in it is a *model.Error
// of code model.Unrecorded, which tells the nearest recording and where it
// differs first.
func (p *Player) Do(req *http.Request) (*http.Response, error) {
	sent, req, err := takeBody(req)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	asked := Exchange{Method: req.Method, Path: pathOf(req), Request: sent}
	e, ok := p.take(asked.key())
	if !ok {
		err := p.miss(asked)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.misses = append(p.misses, err)
		return nil, err
	}
	if e.Status == 0 {
		return nil, e.End.requestError(req)
	}
	return e.response(req), nil
}

// take is the next answer to a request.
func (p *Player) take(key string) (Exchange, bool) {
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

// Misses are the errors of requests that the recording does not have, in the
// order they came. Who asked may have gone on without an answer.
func (p *Player) Misses() []error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.misses)
}

// Unused are the exchanges that nothing asked for, in the order of the file.
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

func (e Exchange) response(req *http.Request) *http.Response {
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

// ending is what follows the last byte of a body that did not end well.
type ending struct{ end End }

func (e ending) Read([]byte) (int, error) { return 0, e.end.bodyError() }

var _ model.Doer = (*Player)(nil)
