package openai

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// script answers requests from files of testdata: raw answers of servers, by
// method and path. A path with several files gets them in turn, and the last
// one from then on; any other path is unknown to the server.
type script struct {
	t       *testing.T
	answers map[string][]string

	mu    sync.Mutex
	asked []asked
}

type asked struct {
	path   string
	body   string
	header http.Header
}

func (s *script) Do(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
	}
	path := req.Method + " " + req.URL.Path
	s.asked = append(s.asked, asked{path, string(body), req.Header})
	file := "llamacpp-unknown"
	if left := s.answers[path]; len(left) > 0 {
		file = left[0]
		if len(left) > 1 {
			s.answers[path] = left[1:]
		}
	}
	return respond(s.t, req, file), nil
}

// respond reads an answer of testdata, or one that is written out.
func respond(t *testing.T, req *http.Request, file string) *http.Response {
	t.Helper()
	raw := []byte(file)
	if !strings.HasPrefix(file, "HTTP/") {
		var err error
		if raw, err = os.ReadFile(filepath.Join("testdata", file+".http")); err != nil {
			t.Fatal(err)
		}
	}
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), req)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return res
}

// to lists the bodies that were sent to a path.
func (s *script) to(path string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var bodies []string
	for _, a := range s.asked {
		if a.path == path {
			bodies = append(bodies, a.body)
		}
	}
	return bodies
}

const chatPath = "POST /v1/chat/completions"

// llamaServer is a script of llama.cpp's server.
func llamaServer(t *testing.T, chat ...string) *script {
	return &script{t: t, answers: map[string][]string{
		"GET /v1/models": {"llamacpp-models"}, "GET /props": {"llamacpp-props"}, chatPath: chat,
	}}
}

// studio is a script of LM Studio.
func studio(t *testing.T, chat ...string) *script {
	return &script{t: t, answers: map[string][]string{
		"GET /v1/models": {"lmstudio-list"}, "GET /api/v1/models": {"lmstudio-models"}, chatPath: chat,
	}}
}

func endpoint(t *testing.T, o model.Options) *Endpoint {
	t.Helper()
	if o.URL == "" {
		o.URL = "http://localhost:1234/v1"
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// say is a request of one word.
func say(words string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Content: words}}, MaxTokens: 5}
}

// raw is an answer written out.
func raw(status, kind, body string, header ...string) string {
	return "HTTP/1.1 " + status + "\r\nContent-Type: " + kind + "\r\n" + strings.Join(append(header, ""), "\r\n") + "Connection: close\r\n\r\n" + body
}

func asJSON(status, body string, header ...string) string {
	return raw(status, "application/json", body, header...)
}

func asStream(body string) string { return raw("200 OK", "text/event-stream", body) }

// refusing is a machine where nobody listens.
type refusing struct{}

func (refusing) Do(req *http.Request) (*http.Response, error) {
	return nil, &url.Error{Op: "Post", URL: req.URL.String(), Err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}
}

// missing is a replay without this exchange.
type missing struct{}

func (missing) Do(*http.Request) (*http.Response, error) {
	return nil, &model.Error{Kind: model.Unrecorded, Message: "no recording"}
}
