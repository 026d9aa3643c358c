package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// bad are the answers that are of no use, with what the caller is told. %s is the id of the request.
var bad = []struct {
	name, line string
	code       string // of the caller's error; "": the call succeeds
	says       string
}{
	{"null result", `{"jsonrpc":"2.0","id":%s,"result":null}`, CodeExecution, "the result is not an object"},
	{"result is a list", `{"jsonrpc":"2.0","id":%s,"result":[1]}`, CodeExecution, "the result is not an object"},
	{"result is text", `{"jsonrpc":"2.0","id":%s,"result":"{}"}`, CodeExecution, "the result is not an object"},
	{"no result", `{"jsonrpc":"2.0","id":%s}`, CodeExecution, "the result is not an object"},
	{"result and error", `{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":1,"message":"x"}}`, CodeExecution, "both a result and an error"},
	{"error is text", `{"jsonrpc":"2.0","id":%s,"error":"x"}`, CodeExecution, "the error is not an object"},
	{"error code is text", `{"jsonrpc":"2.0","id":%s,"error":{"code":"x"}}`, CodeExecution, "not an integer"},
	{"error code is huge", `{"jsonrpc":"2.0","id":%s,"error":{"code":1e999}}`, CodeExecution, "not an integer"},
	{"nested 10,000 deep", `{"jsonrpc":"2.0","id":%s,"result":{"a":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}}`, CodeExecution, "nests more than 512 deep"},
	{"never closed", `{"jsonrpc":"2.0","id":%s,"result":{"a":` + strings.Repeat("[", 10000), CodeExecution, "nests more than 512 deep"},
	{"key twice", `{"jsonrpc":"2.0","id":%s,"result":{"a":{"b":1,"\u0062":2}}}`, CodeExecution, "key is given twice"},
	{"result twice", `{"jsonrpc":"2.0","id":%s,"result":{},"result":{"a":1}}`, CodeExecution, "key is given twice"},
	{"invalid utf-8", `{"jsonrpc":"2.0","id":%s,"result":{"a":"` + "\xff\xfe" + `"}}`, CodeExecution, "not valid UTF-8"},
	{"NaN", `{"jsonrpc":"2.0","id":%s,"result":{"a":NaN}}`, CodeExecution, "not valid json"},
	{"cut off", `{"jsonrpc":"2.0","id":%s,"result":{"a":1`, CodeExecution, "not valid json"},
	{"raw control character", `{"jsonrpc":"2.0","id":%s,"result":{"a":"` + "\x1b[31m" + `"}}`, CodeExecution, "not valid json"},
	{"huge number", `{"jsonrpc":"2.0","id":%s,"result":{"n":` + strings.Repeat("9", 1000) + `e99999}}`, "", ""},
	{"escaped ESC", `{"jsonrpc":"2.0","id":%s,"result":{"a":"\u001b[31m\u202e"}}`, "", ""},
	{"another id", `{"jsonrpc":"2.0","id":999%s,"result":{}}`, CodeTimeout, "no answer within"},
	{"id as text", `{"jsonrpc":"2.0","id":"%s","result":{}}`, "", ""},
	{"id as 1.0", `{"jsonrpc":"2.0","id":%s.0,"result":{}}`, "", ""},
	{"id as 10e-1", `{"jsonrpc":"2.0","id":%s0e-1,"result":{}}`, "", ""},
	{"id as 1.5", `{"jsonrpc":"2.0","id":%s.5,"result":{}}`, CodeTimeout, "no answer within"},
	{"error is null", `{"jsonrpc":"2.0","id":%s,"result":{},"error":null}`, "", ""},
	{"all but the result is null", `{"jsonrpc":"2.0","id":%s,"method":null,"params":null,"error":null,"result":{}}`, "", ""},
	{"result is null", `{"jsonrpc":"2.0","id":%s,"result":null,"error":{"code":-32000,"message":"quota exceeded","data":null}}`, "*upstream.RPCError", "quota exceeded"},
	{"both are null", `{"jsonrpc":"2.0","id":%s,"result":null,"error":null}`, CodeExecution, "the result is not an object"},
	{"error code is a float", `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000.0,"message":"quota exceeded"}}`, "*upstream.RPCError", "quota exceeded (-32000)"},
	{"id twice", `{"jsonrpc":"2.0","id":77,"id":%s,"result":{}}`, CodeTimeout, "no answer within"},
	{"batch", `[{"jsonrpc":"2.0","id":%s,"result":{}}]`, CodeTimeout, "no answer within"},
	{"text", `hello %s`, CodeTimeout, "no answer within"},
}

func TestUselessAnswersAreErrorsOfTheirCallersOnly(t *testing.T) {
	for _, b := range bad {
		t.Run(b.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				held := make(chan json.RawMessage, 1) // the id of the call that goes on meanwhile
				s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, CallTime: 300 * time.Millisecond},
					Options{Start: startPiped(func(p *piped) {
						p.messages(func(m incoming) {
							switch {
							case p.hello(m):
							case m.Method == "ping":
								p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
							case m.Method == "hold":
								held <- m.ID
							default:
								_, _ = io.WriteString(p.stdout, strings.ReplaceAll(b.line, "%s", string(m.ID))+"\n")
								p.print(`{"jsonrpc":"2.0","id":%s,"result":{"other":true}}`, <-held)
							}
						})
					})})
				var wg sync.WaitGroup
				defer wg.Wait()
				wg.Go(func() {
					result, err := s.Do(t.Context(), Request{Method: "hold"})
					if err != nil || string(result) != `{"other":true}` {
						t.Errorf("the other call: %s %v", result, err)
					}
				})
				clocktest.Until(t, "held", func() bool { return len(held) == 1 })
				result, err := s.Do(t.Context(), Request{Method: "bad"})
				if b.code == "" && (err != nil || result == nil) || b.code != "" && (codeOf(err) != b.code || !strings.Contains(err.Error(), b.says)) {
					t.Errorf("%.100s %v", result, err)
				}
				if err != nil && (!utf8.ValidString(err.Error()) || strings.ContainsAny(err.Error(), "\x1b\n")) {
					t.Errorf("not fit for a terminal: %q", err)
				}
				if s.Health().State != StateReady {
					t.Error("the connection was given up")
				}
			})
		})
	}
}

func TestUselessAnswersOverHTTP(t *testing.T) {
	for _, b := range bad {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s stream=%v", b.name, stream), func(t *testing.T) {
				s := newServer(t, Spec{URL: answering(t, stream, b.line), Era: Handshake}, Options{})
				result, err := s.Do(t.Context(), Request{Method: "bad"})
				if b.code == "" && (err != nil || result == nil) || b.code != "" && err == nil {
					t.Errorf("%.100s %v", result, err)
				}
				if b.code == CodeExecution && (codeOf(err) != b.code || !strings.Contains(err.Error(), b.says)) {
					t.Errorf("error = %v", err)
				}
				if result, err := s.Do(t.Context(), Request{Method: "good"}); err != nil || string(result) != `{"good":true}` {
					t.Errorf("the next call: %s %v", result, err)
				}
			})
		}
	}
}

// answering is a server of the handshake era that answers "bad" with line, in which %s stands for the id.
func answering(t testing.TB, stream bool, line string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := rawjson.Get(body, "id")
		out := ""
		switch rawjson.GetText(body, "method") {
		case "initialize":
			out = `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`
		case "bad":
			out = strings.ReplaceAll(line, "%s", string(id))
		case "good":
			out = `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"good":true}}`
		default:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if stream && id != nil {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: "+out+"\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, out)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

func TestTheSecondAnswerAndAnswersAfterCancelAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
			var late json.RawMessage
			p.messages(func(m incoming) {
				switch {
				case m.Method == "notifications/cancelled":
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"late":true}}`, late)
					close(released)
				case p.hello(m):
				case m.Method == "wait":
					late = m.ID
				default:
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"n":%s}}`, m.ID, m.ID)
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"again":true}}`, m.ID)
				}
			})
		})})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := s.Do(ctx, Request{Method: "wait"}); codeOf(err) != CodeTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v", err)
		}
		<-released
		for range 20 {
			if result, err := s.Do(t.Context(), Request{Method: "x"}); err != nil || !strings.HasPrefix(string(result), `{"n":`) {
				t.Fatalf("%s %v", result, err)
			}
		}
	})
}

// endless gives text without an end.
type endless struct{ text string }

func (e endless) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		n += copy(b[n:], e.text)
	}
	return n, nil
}

func TestAMessageWithoutEndCostsNoMemory(t *testing.T) {
	const limit = 2 << 20
	begin := `{"jsonrpc":"2.0","id":1,"result":{"a":"`
	for name, flood := range map[string]io.Reader{
		"message":      io.MultiReader(strings.NewReader(begin), endless{"x"}),
		"text":         endless{"hello "},
		"many members": io.MultiReader(strings.NewReader(begin+`"`), endless{`,"k":0`}),
	} {
		t.Run("program "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // its flood does not end with its input: its grace passes at once here
				s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, MaxMessage: limit}, Options{Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						if !p.hello(m) {
							_, _ = io.Copy(p.stdout, flood)
						}
					})
				})})
				allocatesBelow(t, 8*limit, func() {
					_, err := s.Do(t.Context(), Request{Method: "x"})
					if codeOf(err) != CodeConnection || !strings.Contains(err.Error(), "over the limit of 2097152 bytes") {
						t.Errorf("error = %v", err)
					}
				})
			})
		})
	}
	for _, kind := range []string{"application/json", "text/event-stream"} {
		t.Run("http "+kind, func(t *testing.T) {
			url := flooding(t, kind)
			s := newServer(t, Spec{URL: url, Era: Handshake, MaxMessage: limit}, Options{})
			allocatesBelow(t, 8*limit, func() {
				_, err := s.Do(t.Context(), Request{Method: "x"})
				if codeOf(err) != CodeExecution || !strings.Contains(err.Error(), "over the limit of 2097152 bytes") {
					t.Errorf("error = %v", err)
				}
			})
		})
	}
}

func flooding(t testing.TB, kind string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch rawjson.GetText(body, "method") {
		case "initialize":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(rawjson.Get(body, "id"))+`,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		case "x":
			w.Header().Set("Content-Type", kind)
			_, _ = io.Copy(w, io.MultiReader(strings.NewReader(`data: {"a":"`), endless{"x"}))
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// allocatesBelow fails when more than limit bytes are allocated while f runs. No more than that is held at any time,
// and unlike what is held it does not depend on when garbage is collected.
func allocatesBelow(t *testing.T, limit uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > limit {
		t.Errorf("%d bytes were allocated, limit %d", spent, limit)
	}
}

func TestAWholeMessageIsHeldOnce(t *testing.T) {
	const size = 2 << 20
	var members strings.Builder
	for i := 0; members.Len() < size; i++ {
		fmt.Fprintf(&members, `,"k%x":0`, i)
	}
	for name, value := range map[string]string{
		"text":    `"a":"` + strings.Repeat("x", size) + `"`,
		"members": `"a":0` + members.String(),
	} {
		t.Run(name, func(t *testing.T) {
			s := pipedServer(t, func(incoming) string { return `{` + value + `}` })
			if _, err := s.About(t.Context()); err != nil {
				t.Fatal(err)
			}
			raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{` + value + `}}`)
			allocatesBelow(t, size, func() {
				m, err := parse(raw)
				if err != nil || m.bad != nil {
					t.Error(err, m.bad)
				}
			})
			if result, err := s.Do(t.Context(), Request{Method: "x"}); err != nil || len(result) != len(value)+2 {
				t.Errorf("%d bytes: %v", len(result), err)
			}
		})
	}
}

func TestTextOnStdoutIsShownInHealth(t *testing.T) {
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Env: map[string]string{"KEY": "s3cret-value"}}, Options{Start: startPiped(func(p *piped) {
		for i := range 5 {
			p.print("line %d \x1b[31m s3cret-value", i)
		}
		p.print(`{"level":"info"}`)
		p.messages(func(m incoming) {
			if !p.hello(m) {
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}
		})
	})})
	if _, err := s.Do(t.Context(), Request{Method: "x"}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", s.Health().Noise); got != `["line 0 ***" "line 1 ***" "line 2 ***"]` {
		t.Error(got)
	}
	if got := strings.Join(s.Said(), "|"); strings.Count(got, "on stdout") != 3 || !strings.Contains(got, "line 2 ***") || strings.Contains(got, "s3cret") {
		t.Error(got)
	}
}

// A program that speaks of its port and never answers is shown to do so, before
// and after the start has failed.
func TestTextOnStdoutBeforeTheHandshakeIsShown(t *testing.T) {
	for _, said := range []string{"Server listening on http://127.0.0.1:3000/mcp", "\xef\xbb\xbfServer listening on http://127.0.0.1:3000/mcp", "[info] Server listening on http://127.0.0.1:3000/mcp"} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
				_, _ = io.WriteString(p.stdout, said+"\n[{\"jsonrpc\":\n")
				p.messages(func(incoming) {})
			})})
			_, err := s.About(t.Context())
			const want = "Server listening on http://127.0.0.1:3000/mcp"
			if codeOf(err) != CodeConnection || !strings.Contains(err.Error(), "stdout, where only messages belong") || !strings.Contains(err.Error(), want) {
				t.Errorf("error = %v", err)
			}
			if got := strings.Join(s.Said(), "\n"); !strings.Contains(got, want) || strings.Contains(got, "[{") {
				t.Error(got)
			}
		})
	}
}

// A byte order mark before messages is no part of them.
func TestAByteOrderMarkIsSkipped(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	for name, before := range map[string]string{"each message": mark, "with blanks": mark + " \t"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						if m.ID != nil {
							p.print(before+`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, m.ID)
						}
					})
				})})
				if _, err := s.Do(t.Context(), Request{Method: "x"}); err != nil {
					t.Error(err)
				}
			})
		})
	}
	s := newServer(t, Spec{URL: answering(t, false, mark+`{"jsonrpc":"2.0","id":%s,"result":{}}`), Era: Handshake}, Options{})
	if _, err := s.Do(t.Context(), Request{Method: "bad"}); err != nil {
		t.Errorf("over HTTP: %v", err)
	}
}
