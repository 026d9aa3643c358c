package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// leakFront is a running serve before a server that says secrets, with its client.
type leakFront struct {
	*peer
	t      *testing.T
	dir    string
	binary string
}

// leakConfig offers all that a server may do, keeps what it can, and writes all that happens.
const leakConfig = `
log: {level: "debug", format: "json"}
gateway: {surface: "both", result: 300}
servers: leaky: {command: "leakserver", allow: ["sampling", "elicitation"]}
`

func newLeakFront(t *testing.T) *leakFront {
	t.Helper()
	dir, binary := frontDir(t, leakConfig)
	answers := map[string]string{
		"sampling/createMessage": `{"model":"m","role":"assistant","content":{"type":"text","text":"no"}}`,
		"elicitation/create":     `{"action":"decline"}`,
	}
	p := dial(t, `{"sampling":{},"elicitation":{}}`, answers, frontEnv(dir), binary, "serve", "--log", filepath.Join(dir, "serve.log"))
	settled(p, 2)
	return &leakFront{peer: p, t: t, dir: dir, binary: binary}
}

// run runs a command at another terminal. Its exit code says nothing here.
func (f *leakFront) run(args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), f.binary, args...)
	cmd.Dir, cmd.Env = f.dir, append(os.Environ(), frontEnv(f.dir)...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// everything is all that came with an answer, notes and questions too.
func (f *leakFront) everything(m spoken) string {
	f.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", m.Result, m.Error)
	for _, n := range m.notes {
		fmt.Fprintf(&b, "%s %s\n", n.Method, n.Params)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range f.asked {
		fmt.Fprintf(&b, "%s %s\n", n.Method, n.Params)
	}
	f.asked = nil
	return b.String()
}

// say has the server speak at a place.
func (f *leakFront) say(place string) string {
	f.t.Helper()
	return f.everything(f.ask("tools/call", `{"name":"leaky__say","arguments":{"place":"`+place+`"},"_meta":{"progressToken":"p"}}`))
}

// pageName is the call that leads to the next page, as a note within JSON names it.
var pageName = regexp.MustCompile(`Next: fetch_result (\{[^}]*\})`)

// paged has the server say much at a place, and reads on to the end.
func (f *leakFront) paged(place string) string {
	f.t.Helper()
	out := f.say(place)
	var all strings.Builder
	for range 100 {
		all.WriteString(out)
		next := pageName.FindStringSubmatch(out)
		if next == nil {
			break
		}
		out = f.everything(f.call("fetch_result", strings.ReplaceAll(next[1], `\`, "")))
	}
	return all.String()
}

// logOf waits for what the program of a server wrote to its standard error.
func (f *leakFront) logOf(mark string) string {
	f.t.Helper()
	var out string
	clocktest.Until(f.t, "the log of the server has "+mark, func() bool {
		out = f.run("servers", "logs", "leaky")
		return strings.Contains(out, mark)
	}, func() any { return out })
	return out
}

// written returns the log once the marks are in it: it is written behind the calls.
func (f *leakFront) written(marks ...string) string {
	f.t.Helper()
	var text string
	clocktest.Until(f.t, fmt.Sprintf("the log has %q", marks), func() bool {
		data, err := os.ReadFile(filepath.Join(f.dir, "serve.log"))
		if err != nil {
			f.t.Fatal(err)
		}
		text = string(data)
		return !slices.ContainsFunc(marks, func(m string) bool { return !strings.Contains(text, m) })
	}, func() any { return text })
	return text
}

// filesBelow are the contents of all that was written below a directory, but for the configuration.
func filesBelow(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Base(path) == "compactor.cue" {
			return nil // it may be gone by now
		}
		data, err := os.ReadFile(path)
		if err == nil {
			fmt.Fprintf(&all, "\n== %s\n%s\n%s", path, data, catalogsOf(t, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// catalogsOf returns the lists of servers that a store has, which are packed there.
func catalogsOf(t *testing.T, path string) string {
	t.Helper()
	if filepath.Base(path) != "compactor.db" {
		return ""
	}
	s, err := store.Open(t.Context(), "sqlite:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all strings.Builder
	list, err := s.Catalogs(t.Context())
	for _, c := range list {
		var is bool
		if c, is, err = s.Catalog(t.Context(), c.Server, c.Key); err != nil || !is {
			break
		}
		all.Write(c.Body)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// noSecret holds that a mark passed and that nothing that stood beside it did, as it is, as JSON writes it or in base64.
func noSecret(t *testing.T, got string, marks ...string) {
	t.Helper()
	plain := strings.NewReplacer(`\u0026`, "&", `\\u0026`, "&", `\`, "").Replace(got)
	for _, word := range regexp.MustCompile(`[A-Za-z0-9+/]{80,}={0,2}`).FindAllString(got, -1) {
		if data, err := base64.StdEncoding.DecodeString(word); err == nil {
			plain += "\n" + string(data)
		}
	}
	for _, mark := range marks {
		if !strings.Contains(plain, mark) {
			t.Errorf("%s did not come: %.3000s", mark, got)
		}
	}
	for what, secret := range map[string]string{"the password": leakPassword, "the bearer token": leakBearer, "the URL's password": leakInURL} {
		if at := strings.Index(plain, secret); at >= 0 {
			t.Errorf("%s is there: …%s", what, plain[max(0, at-300):min(len(plain), at+60)])
		}
	}
}

// What an upstream server says is masked wherever it may say it, and wherever that is kept or shown.
func TestSecretsOfServersPassNowhere(t *testing.T) {
	t.Parallel()
	f := newLeakFront(t)
	ask := func(method, params string) func() string {
		return func() string { return f.everything(f.ask(method, params)) }
	}
	call := func(tool, args string) func() string {
		return func() string { return f.everything(f.call(tool, args)) }
	}
	say := func(place string) func() string { return func() string { return f.say(place) } }
	run := func(args ...string) func() string {
		if testing.Short() {
			return nil
		}
		return func() string { return f.run(args...) }
	}
	for _, row := range []struct {
		place string
		got   func() string
		marks []string
	}{
		{"text of a result", say("text"), []string{"mark-text"}},
		{"text of a result, by discovery", call("execute_tool", `{"tool":"leaky__say","arguments":{"place":"found"}}`), []string{"mark-found"}},
		{"text of a result, by command", run("tools", "call", "leaky__say", "place=command"), []string{"mark-command"}},
		{"structured content", say("structured"), []string{"mark-structured"}},
		{"structured content, by command", run("tools", "call", "leaky__say", "place=structured", "--format", "json"), []string{"mark-structured"}},
		{"embedded resource", say("embedded"), []string{"mark-embedded", "mark-link", "mark-link-description", "mark-embedded-blob"}},
		{"metadata of a result", say("meta"), []string{"mark-meta"}},
		{"error of a tool", say("failed"), []string{"mark-failed"}},
		{"error of the protocol", say("error"), []string{"mark-error", "mark-error-data"}},
		{"error of the protocol, by discovery", call("execute_tool", `{"tool":"leaky__say","arguments":{"place":"error"}}`), []string{"mark-error"}},
		{"error of the protocol, by command", run("tools", "call", "leaky__say", "place=error", "--format", "json"), []string{"mark-error"}},
		{"progress", say("progress"), []string{"mark-progress"}},
		{"log", say("log"), []string{"mark-log", "mark-log-text"}},
		{"elicitation", say("elicit"), []string{"mark-elicit", "mark-elicit-schema"}},
		{"sampling", say("sample"), []string{"mark-sample", "mark-system"}},
		{"page of a long text", func() string { return f.paged("page") }, []string{"mark-page"}},
		{"page of long structured content", func() string { return f.paged("rows") }, []string{"mark-rows"}},
		{"list of tools", ask("tools/list", `{}`), []string{"mark-say-description", "mark-say-argument", "mark-say-default"}},
		{"search for tools", call("search_tools", `{"query":"open a ticket"}`), []string{"leaky__say"}},
		{"details of a tool", call("get_tool_details", `{"tool":"leaky__say"}`), []string{"mark-say-description", "mark-say-argument"}},
		{"tools show", run("tools", "show", "leaky__say"), []string{"mark-say-description"}},
		{"tools show, as JSON", run("tools", "show", "leaky__say", "--format", "json"), []string{"mark-say-description"}},
		{"tools why", run("tools", "why", "leaky__say"), []string{"leaky__say"}},
		{"tools list", run("tools", "list"), []string{"leaky__say"}},
		{"tools list, with those that are off", run("tools", "list", "--all"), nil},
		{"tools list, as JSON", run("tools", "list", "--format", "json"), []string{"leaky__say"}},
		{"list of servers", call("list_servers", `{}`), []string{"leaky"}},
		{"list of resources", ask("resources/list", `{}`), []string{"mark-resource-list", "mark-resource-meta"}},
		{"list of templates", ask("resources/templates/list", `{}`), []string{"mark-template-list"}},
		{"resource", ask("resources/read", `{"uri":"leak://text"}`), []string{"mark-resource", "mark-contents-meta", "mark-blob"}},
		{"list of prompts", ask("prompts/list", `{}`), []string{"mark-prompt-list", "mark-prompt-argument"}},
		{"prompt", ask("prompts/get", `{"name":"leaky__brief","arguments":{"to":"x"}}`), []string{"mark-prompt", "mark-message"}},
		{"prompt that is refused", ask("prompts/get", `{"name":"leaky__broken"}`), []string{"mark-prompt-error", "mark-prompt-error-data"}},
		{"update of a resource", func() string {
			out := f.everything(f.ask("resources/subscribe", `{"uri":"leak://text"}`))
			f.heard("resources/updated", func(m spoken) bool {
				out += m.Method + string(m.Params)
				return m.Method == "notifications/resources/updated"
			})
			return out
		}, []string{"resources/updated"}},
		{"completion", ask("completion/complete", `{"ref":{"type":"ref/prompt","name":"leaky__brief"},"argument":{"name":"to","value":""}}`), []string{"mark-completion"}},
		{"standard error", func() string { return f.logOf("mark-stderr") }, []string{"mark-stderr"}},
		{"last words of a program", say("exit"), []string{"mark-last-words"}},
		{"last words of a program, at another terminal", run("servers", "running", "--format", "json"), []string{"leaky"}},
		{"servers", run("servers", "--format", "json"), []string{"leaky"}},
		{"doctor", run("doctor", "--format", "json"), nil},
	} {
		t.Run(row.place, func(t *testing.T) {
			if row.got == nil {
				t.Skip("a command that does one thing")
			}
			f.t, f.peer.t = t, t
			noSecret(t, row.got(), row.marks...)
		})
	}
	f.t, f.peer.t = t, t
	t.Run("digest and instructions", func(t *testing.T) { noSecret(t, string(f.about.Result)) })
	t.Run("store, state and log", func(t *testing.T) {
		f.run("tools", "approve", "leaky__say", "--yes")
		all := filesBelow(t, f.dir)
		noSecret(t, all, "compactor.db", "serve.log", "mark-instructions", "mark-capabilities")
	})
	t.Run("log of every step", func(t *testing.T) {
		noSecret(t, f.written(`"phase":"begin"`, "mark-error"), `"phase":"begin"`, "mark-error")
	})
}

// What a caller sends is not given back by errors that name what is wrong with it.
func TestSecretsOfArgumentsAreNotEchoed(t *testing.T) {
	t.Parallel()
	f := newLeakFront(t)
	for name, args := range map[string]string{
		"unknown argument":         `{"place":"a","password":"` + leakPassword + `"}`,
		"text for an object":       `{"place":"a","with":"postgres://deploy:` + leakInURL + `@db.example/app"}`,
		"object for a text":        `{"place":{"password":"` + leakPassword + `"}}`,
		"name that is a secret":    `{"place":"a","Bearer ` + leakBearer + `":1}`,
		"name of a field":          `{"place":"a","with":{"password":{"password":"` + leakPassword + `"}}}`,
		"number where a text goes": `{"place":["Authorization: Bearer ` + leakBearer + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			f.t, f.peer.t = t, t
			for _, m := range []spoken{f.call("leaky__say", args), f.call("execute_tool", `{"tool":"leaky__say","arguments":`+args+`}`)} {
				noSecret(t, f.everything(m))
			}
			if !testing.Short() {
				noSecret(t, f.run("tools", "call", "leaky__say", "--input", args))
			}
		})
	}
	for name, m := range map[string]spoken{
		"own tool":         f.call("ping", `{"password":"`+leakPassword+`"}`),
		"name of a tool":   f.call("postgres://deploy:"+leakInURL+"@db.example/app", `{}`),
		"name of a prompt": f.ask("prompts/get", `{"name":"Bearer `+leakBearer+`"}`),
		"uri":              f.ask("resources/read", `{"uri":"https://deploy:`+leakInURL+`@db.example/x"}`),
		"method":           f.ask("Bearer "+leakBearer, `{}`),
	} {
		t.Run(name, func(t *testing.T) { noSecret(t, f.everything(m)) })
	}
	noSecret(t, filesBelow(t, f.dir), "serve.log")
	noSecret(t, f.written(`"phase":"begin"`), `"phase":"begin"`)
}

// leakModel is a model server that keeps what it is sent, and answers with secrets.
type leakModel struct {
	*httptest.Server
	mu   sync.Mutex
	sent bytes.Buffer
}

func newLeakModel(t *testing.T, status int) *leakModel {
	m := &leakModel{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"small","object":"model"}]}`)
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		_, _ = m.sent.ReadFrom(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status != http.StatusOK {
			fmt.Fprint(w, object(anyMap{"error": anyMap{"message": toldText("model-error"), "password": leakPassword}}))
			return
		}
		fmt.Fprint(w, object(anyMap{"id": "1", "object": "chat.completion", "model": "small", "choices": []any{
			anyMap{"index": 0, "finish_reason": "stop", "message": anyMap{"role": "assistant", "content": toldText("model")}}}}))
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *leakModel) asked() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent.String()
}

// Secrets of a codebase and of a model pass into no prompt, recording, reply, artifact or store.
func TestSecretsOfACodebasePassNowhere(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusInternalServerError} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			model := newLeakModel(t, status)
			dir, binary := frontDir(t, `models: default: {provider: "openai", url: "`+model.URL+`/v1", model: "small", key: "LEAK_KEY"}`)
			project := t.TempDir()
			config := "// connect opens the ticket database: " + toldText("code") + "\nfunc connect() {}\n"
			if err := os.WriteFile(filepath.Join(project, "db.go"), []byte("package db\n\n"+config), 0o600); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) string {
				cmd := exec.CommandContext(t.Context(), binary, args...)
				cmd.Dir, cmd.Env = project, append(os.Environ(), append(frontEnv(dir), "LEAK_KEY="+leakBearer)...)
				out, _ := cmd.CombinedOutput()
				return string(out)
			}
			question := "question=where is connect, with " + toldText("question")
			for _, row := range []struct {
				place string
				args  []string
				mark  string
			}{
				{"reply", []string{"call", "research_codebase", question, "--format", "json"}, "db.go"},
				{"reply as text", []string{"call", "locate_in_codebase", question, "--format", "text"}, "db.go"},
				{"recording", []string{"call", "research_codebase", question, "--record", filepath.Join(dir, "said.jsonl")}, ""},
				{"explain", []string{"explain", "research_codebase", question}, ""},
				{"artifact", []string{"call", "create_handoff", question, "summary=It is so: " + toldText("summary"), "key_findings=" + object([]string{"Found " + toldText("finding")}), "notes=Mind " + toldText("notes"), `references=["db.go:4"]`}, ".md"},
				{"artifact read back", []string{"call", "resume_handoff", "--format", "json"}, "mark-summary"},
				{"doctor", []string{"doctor"}, ""},
				{"doctor as JSON", []string{"doctor", "--format", "json"}, ""},
			} {
				t.Run(row.place, func(t *testing.T) { noSecret(t, run(row.args...), row.mark) })
			}
			t.Run("prompt", func(t *testing.T) { noSecret(t, model.asked(), "connect") })
			t.Run("files", func(t *testing.T) {
				marks := []string{"said.jsonl"}
				if status == http.StatusOK {
					marks = append(marks, "mark-model")
				}
				noSecret(t, filesBelow(t, dir), marks...)
				noSecret(t, filesBelow(t, filepath.Join(project, ".handoffs")), "mark-summary", "mark-finding", "mark-notes")
			})
		})
	}
}

// What a model's server says of its errors is written to the log of every step, and no secret with it.
func TestSecretsOfAModelAreNotLogged(t *testing.T) {
	t.Parallel()
	model := newLeakModel(t, http.StatusBadRequest)
	project := t.TempDir()
	dir, binary := frontDir(t, `models: default: {provider: "openai", url: "`+model.URL+`/v1", model: "small", key: "LEAK_KEY"}
roots: code: [`+quoted(project)+`]
log: {level: "debug", format: "json"}
`)
	if err := os.WriteFile(filepath.Join(project, "db.go"), []byte("package db\n\n// connect opens the ticket database.\nfunc connect() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &leakFront{t: t, dir: dir, peer: dial(t, `{}`, nil, append(frontEnv(dir), "LEAK_KEY="+leakBearer), binary, "serve", "--log", filepath.Join(dir, "serve.log"))}
	noSecret(t, f.everything(f.call("analyze_component", `{"component":"connect"}`)), "db.go")
	noSecret(t, f.written(`"kind":"model"`, "mark-model-error"), `"kind":"model"`, "mark-model-error")
}

func quoted(s string) string { out, _ := json.Marshal(s); return string(out) }

// What stands in the configuration is shown without its keys.
func TestSecretsOfAConfigurationAreNotShown(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	dir, binary := frontDir(t, `servers: leaky: {command: "leakserver", description: `+quoted("mark-config "+toldText("config"))+`,
	args: ["--password", `+quoted(leakPassword)+`, "--url", "https://deploy:`+leakInURL+`@db.example/x"],
	env: {PASSWORD: `+quoted(leakPassword)+`, AUTH: "Bearer `+leakBearer+`"}}
servers: web: {url: "https://deploy:`+leakInURL+`@db.invalid/mcp", headers: Authorization: "Bearer `+leakBearer+`"}
`)
	for _, args := range [][]string{
		{"config", "show"}, {"config", "show", "--format", "json"}, {"validate"}, {"doctor"}, {"doctor", "--format", "json"},
		{"servers", "--offline"}, {"servers", "--format", "json"}, {"allow"}, {"tools", "list"}, {"tools", "list", "--format", "json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), binary, args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
			out, _ := cmd.CombinedOutput()
			noSecret(t, string(out))
		})
	}
	noSecret(t, filesBelow(t, dir))
}
