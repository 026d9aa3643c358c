package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/mark3labs/mcp-go/mcp"
)

// Tokens of profiles, as a test sets them.
const (
	readingToken = "reading-0123456789abcdef"
	bankingToken = "banking-0123456789abcdef"
)

func tokensCUE(t *testing.T) string {
	return profilesCUE(t, filepath.Join(t.TempDir(), "pids")) + `
profiles: reading: tokens: ["${READING_TOKEN}", "${SPARE_TOKEN}"]
profiles: banking: {tokens: ["${BANKING_TOKEN}", "${TWICE}"], header: false}
profiles: secret: tokens: ["${TWICE}", "${SHORT}"]
`
}

// serveTokens serves profiles with tokens; token "" is none for all.
func serveTokens(t *testing.T, token string) *apiServer {
	dir, _ := frontDir(t, tokensCUE(t))
	text := "READING_TOKEN=" + readingToken + "\nBANKING_TOKEN=" + bankingToken + "\nTWICE=twice-0123456789abcdef\nSHORT=short\n"
	if err := os.WriteFile(filepath.Join(dir, "secrets.env"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if token == "" {
		return startAPI(t, dir, "", "")
	}
	return serveAPIIn(t, dir, token)
}

// A token of a profile is that profile and nothing else, whatever its client says it is or
// asks for. Where there are such tokens nobody is served without one.
func TestProfileTokens(t *testing.T) {
	t.Parallel()
	s := serveTokens(t, apiToken)
	s.awaitTool("pay__send_money")
	s.awaitTool("notes__read_note")
	s.awaitTool("news__headlines")
	reading, banking := []string{"news__headlines", "notes__look_up"}, []string{"notes__read_note", "notes__write_note", "pay__send_money"}
	for _, era := range bothEras {
		for _, c := range []struct {
			what    string
			name    string
			headers []string
			want    []string // tools; nil where it is refused
			status  int
		}{
			{"its token", "other", bearer(readingToken), reading, 200},
			{"its token, as a client of another profile's name", "lm studio bank", bearer(readingToken), reading, 200},
			{"its token, and the header", "other", []string{"Authorization", "bearer  " + readingToken, "Compactor-Profile", "reading"}, reading, 200},
			{"a profile that no header opens", "other", bearer(bankingToken), banking, 200},
			{"the token of all", "other", []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", "reading"}, reading, 200},
			{"another profile by header", "other", []string{"Authorization", "Bearer " + readingToken, "Compactor-Profile", "banking"}, nil, 403},
			{"no profile by header", "other", []string{"Authorization", "Bearer " + readingToken, "Compactor-Profile", ""}, nil, 403},
			{"two by header", "other", []string{"Authorization", "Bearer " + readingToken, "Compactor-Profile", "reading", "Compactor-Profile", "banking"}, nil, 400},
			{"no token", "other", nil, nil, 401},
			{"no token, and the header", "other", []string{"Compactor-Profile", "reading"}, nil, 401},
			{"two tokens", "other", []string{"Authorization", "Bearer " + readingToken, "Authorization", "Bearer " + bankingToken}, nil, 401},
			{"a token of two profiles", "other", []string{"Authorization", "Bearer twice-0123456789abcdef"}, nil, 401},
			{"one that is too short", "other", []string{"Authorization", "Bearer short"}, nil, 401},
			{"one that is not set", "other", []string{"Authorization", "Bearer "}, nil, 401},
			{"its variable", "other", []string{"Authorization", "Bearer ${READING_TOKEN}"}, nil, 401},
			{"another scheme", "other", []string{"Authorization", "Basic " + readingToken}, nil, 401},
			{"a part of it", "other", []string{"Authorization", "Bearer " + readingToken[:20]}, nil, 401},
		} {
			client := &profileClient{t: t, url: s.base, modern: era.modern, name: c.name, headers: c.headers}
			if c.want != nil {
				if got := client.begin().tools(); !slices.Equal(got, c.want) {
					t.Errorf("%s, %s: is listed %q, want %q", era.name, c.what, got, c.want)
				}
				continue
			}
			status, result, text := client.greet()
			if era.modern {
				status, result, text = client.ask("tools/list", nil)
			}
			if status != c.status || result != nil || client.session != "" || strings.Contains(text, "banking") || strings.Contains(text, readingToken[:20]) {
				t.Errorf("%s, %s: %d, want %d: %s", era.name, c.what, status, c.status, text)
			}
		}
	}
	for _, path := range []string{"/tools", "/sessions", "/config", "/metrics", "/dashboard/", "/openapi.json", "/mcp/", "//mcp", "/x/../mcp"} {
		if got := s.Ask("GET", path, nil, "Authorization", "Bearer "+readingToken); got.Status != 401 && got.Status != 404 && got.Status != 403 {
			t.Errorf("%s by the token of a profile: %d %.200s", path, got.Status, got.Body)
		}
	}
	if got := s.Ask("POST", "/override", []byte(`{"tool":"pay__send_money","relevant":true}`), "Content-Type", "application/json", "Authorization", "Bearer "+readingToken); got.Code() != api.TokenWrong {
		t.Errorf("a mark by the token of a profile: %s", got.Body)
	}
}

// Who has a session, a page of a result or a stream of a profile by its token has it by no
// other.
func TestProfileTokensStay(t *testing.T) {
	t.Parallel()
	s := serveTokens(t, apiToken)
	s.awaitTool("pay__send_money")
	b := (&profileClient{t: t, url: s.base, name: "other", headers: bearer(bankingToken)}).begin()
	if text, ok := b.call("pay__send_money", map[string]any{"n": "one"}); !ok {
		t.Fatal(text)
	}
	main := (&profileClient{t: t, url: s.base, name: "other", headers: bearer(apiToken)}).begin()
	for what, c := range map[string]*profileClient{
		"a session by another profile's token":  {session: b.session, headers: bearer(readingToken)},
		"a session by the token of all":         {session: b.session, headers: bearer(apiToken)},
		"a session of all by a profile's token": {session: main.session, headers: bearer(bankingToken)},
	} {
		c.t, c.url = t, s.base
		for _, method := range []string{"tools/list", "ping"} {
			if status, result, text := c.ask(method, nil); status != 403 || result != nil || strings.Contains(text, "banking") {
				t.Errorf("%s, %s: %d %s", what, method, status, text)
			}
		}
		for _, method := range []string{"GET", "DELETE"} {
			got := s.Ask(method, "/mcp", nil, append(slices.Clone(c.headers), "Mcp-Session-Id", c.session, "Accept", "text/event-stream")...)
			if got.Status != 403 {
				t.Errorf("%s, %s: %d %s", what, method, got.Status, got.Body)
			}
		}
	}
	if text, ok := b.call("pay__send_money", map[string]any{"n": "two"}); !ok {
		t.Errorf("its own session is gone: %s", text)
	}

	// What is taken out of secrets.env opens nothing from then on, without a restart.
	text := "READING_TOKEN=" + readingToken + "\nBANKING_TOKEN=another-0123456789abcdef\n"
	if err := os.WriteFile(filepath.Join(s.dir, "secrets.env"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, result, text := b.ask("tools/list", nil); status != 401 || result != nil {
		t.Errorf("a token that was taken back: %d %s", status, text)
	}
	again := (&profileClient{t: t, url: s.base, name: "other", headers: bearer("another-0123456789abcdef")}).begin()
	if got := again.tools(); !slices.Contains(got, "pay__send_money") {
		t.Errorf("the new token: %q", got)
	}
}

// A client leaves its profile by nothing that it can send: each way is tried with tokens of
// profiles and, where all have one token, by header.
func TestProfilesAreNotLeft(t *testing.T) {
	t.Parallel()
	program := mustFind(t, "toolserver")
	cue := tokensCUE(t) + fmt.Sprintf("servers: asks: {command: %q, args: [\"ask\"], allow: [\"elicitation\", \"roots\"]}\n", program) + `
profiles: reading: servers: ["notes", "news", "asks"]
profiles: banking: servers: ["notes", "pay", "asks"]
`
	cue = strings.NewReplacer(`servers: ["notes", "news"]`, "", `profiles: banking: servers: ["notes", "pay"]`, "").Replace(cue)
	cue += "profiles: open: servers: [\"notes\", \"pay\", \"asks\"]\ngateway: result: 200\n"
	dir, _ := frontDir(t, cue)
	if err := os.WriteFile(filepath.Join(dir, "secrets.env"), []byte("READING_TOKEN="+readingToken+"\nBANKING_TOKEN="+bankingToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveAPIIn(t, dir, apiToken)
	for _, name := range []string{"notes__read_note", "pay__send_money", "asks__ask", "news__headlines"} {
		s.awaitTool(name)
	}
	id := regexp.MustCompile(`fetch_result[^"]*\\"id\\?": ?\\"([A-Za-z0-9_-]+)|id ([a-z0-9]{6,})`)
	const words = "a word of the bank, "
	for _, era := range bothEras {
		for _, way := range []struct {
			name             string
			reading, banking []string
		}{
			{"by token", bearer(readingToken), bearer(bankingToken)},
			{"by header", []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", "reading"}, []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", "open"}},
		} {
			t.Run(era.name+" "+way.name, func(t *testing.T) {
				open := func(headers []string, name string) *profileClient {
					return (&profileClient{t: t, url: s.base, modern: era.modern, name: name, headers: headers, offers: map[string]any{"elicitation": map[string]any{}, "roots": map[string]any{}}}).begin()
				}
				bank, thief := open(way.banking, "other"), open(way.reading, "lm studio bank")
				long, ok := bank.call("pay__send_money", map[string]any{"n": strings.Repeat(words, 400)})
				kept := id.FindStringSubmatch(long)
				shared, _ := bank.call("notes__write_note", map[string]any{"n": strings.Repeat(words, 400)})
				both := id.FindStringSubmatch(shared)
				if !ok || kept == nil || both == nil {
					t.Fatalf("nothing is kept: %.300s", long)
				}
				stolen := func(what, text string) {
					t.Helper()
					if strings.Contains(text, words) || strings.Contains(text, "send_money") || strings.Contains(text, "pay__") {
						t.Errorf("%s: %.300s", what, text)
					}
				}
				for _, x := range [][]string{kept, both} {
					for page := 1; page <= 2; page++ {
						if text, ok := thief.call("fetch_result", map[string]any{"id": x[1] + x[2], "page": page}); ok {
							t.Errorf("a page of its result: %.300s", text)
						} else {
							stolen("a page of its result", text)
						}
					}
				}
				for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
					_, _, text := thief.ask(method, map[string]any{"_meta": map[string]any{mcp.MetaKeyClientInfo: map[string]any{"name": "lm studio bank", "version": "1"}}})
					stolen(method+", by a name in _meta", text)
					_, _, text = thief.ask(method, map[string]any{"cursor": "banking", "profile": "banking"})
					stolen(method+", by parameters", text)
				}
				_, result, _ := bank.ask("tools/list", nil) // a list that was just made for another
				if result == nil || slices.Equal(thief.tools(), bank.tools()) {
					t.Error("both are listed the same")
				}
				for range 20 {
					stolenList := thief.tools()
					if slices.Contains(stolenList, "pay__send_money") || !slices.Contains(bank.tools(), "pay__send_money") {
						t.Fatalf("a list of another: %q", stolenList)
					}
				}
				if !era.modern {
					got := s.Ask("POST", "/mcp", []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), append(slices.Clone(way.reading), "Content-Type", "application/json", "Mcp-Session-Id", bank.session)...)
					if got.Status < 400 {
						t.Errorf("its session: %d", got.Status)
					}
					got = s.Ask("GET", "/mcp", nil, append(slices.Clone(way.reading), "Accept", "text/event-stream", "Mcp-Session-Id", bank.session, "Last-Event-ID", "1")...)
					if got.Status < 400 {
						t.Errorf("its stream of events: %d", got.Status)
					}
					return
				}
				_, result, text := bank.ask("tools/call", map[string]any{"name": "asks__ask", "arguments": map[string]any{}})
				state, _ := result["requestState"].(string)
				if state == "" {
					t.Fatalf("it is not asked: %.500s", text)
				}
				resume := map[string]any{"name": "asks__ask", "arguments": map[string]any{}, "requestState": state, "inputResponses": map[string]any{}}
				if _, result, text := thief.ask("tools/call", resume); result != nil || !strings.Contains(text, "requestState") {
					t.Errorf("it takes up what another began: %.300s", text)
				}
				if _, result, text := bank.ask("tools/call", resume); result == nil {
					t.Errorf("its own is gone: %.300s", text)
				}
			})
		}
	}
}

// Without a token for all, the tokens of profiles are the only ones, also on this machine.
func TestProfileTokensAlone(t *testing.T) {
	t.Parallel()
	s := serveTokens(t, "")
	for _, era := range bothEras {
		for _, headers := range [][]string{nil, {"Authorization", "Bearer " + apiToken}, {"Compactor-Profile", "reading"}} {
			c := &profileClient{t: t, url: s.base, modern: era.modern, name: "LM Studio", headers: headers}
			if status, result, text := c.greet(); status != 401 || result != nil {
				t.Errorf("%s, %q: %d %s", era.name, headers, status, text)
			}
		}
		c := (&profileClient{t: t, url: s.base, modern: era.modern, name: "x", headers: bearer(readingToken)}).begin()
		c.waitTools("news__headlines", "notes__look_up")
	}
}

// Where only profiles have tokens, what tells of all of them and runs tools of all is shut
// to who has none for all.
func TestProfileTokensAloneShutTheRest(t *testing.T) {
	t.Parallel()
	s := serveTokens(t, "")
	(&profileClient{t: t, url: s.base, name: "x", headers: bearer(bankingToken)}).begin().waitTools("notes__read_note", "notes__write_note", "pay__send_money")
	for _, token := range []string{"", "Bearer ", "Bearer " + readingToken, "Bearer " + bankingToken} {
		for _, x := range []struct{ method, path, body string }{
			{"GET", "/tools", ""}, {"GET", "/sessions", ""}, {"GET", "/config", ""}, {"GET", "/metrics", ""}, {"GET", "/dashboard/", ""},
			{"GET", "/health", ""}, {"GET", "/healthz", ""}, {"GET", "/readyz", ""}, {"GET", "/openapi.json", ""},
			{"POST", "/tools/execute_tool", `{"tool":"pay__send_money","arguments":{"n":"one"}}`},
		} {
			req, err := http.NewRequest(x.method, s.base+x.path, strings.NewReader(x.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			if token != "" {
				req.Header.Set("Authorization", token)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s %s, %q: %d %.200s", x.method, x.path, token, res.StatusCode, body)
			}
		}
	}
}
