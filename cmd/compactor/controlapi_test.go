package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/app/api/apitest"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

const apiToken = "0123456789abcdef0123"

// apiServer is a real serve over HTTP, with its own directory of configuration.
type apiServer struct {
	*apitest.Client
	t    *testing.T
	dir  string
	base string
	cmd  *exec.Cmd
}

// serveAPI starts one with a configuration; token "" is none.
func serveAPI(t *testing.T, cue, token string) *apiServer {
	t.Helper()
	dir, _ := frontDir(t, cue)
	return serveAPIIn(t, dir, token)
}

func serveAPIIn(t *testing.T, dir, token string) *apiServer {
	t.Helper()
	return serveAPIAt(t, dir, "", token)
}

// serveAPIAt serves from a working directory, "" for that of the test.
func serveAPIAt(t *testing.T, dir, work, token string) *apiServer {
	t.Helper()
	s := startAPI(t, dir, work, token)
	s.Client = apitest.New(t, s.base, token)
	return s
}

// startAPI serves without asking for the description, which may be shut.
func startAPI(t *testing.T, dir, work, token string) *apiServer {
	t.Helper()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--transport", "http", "--listen", "127.0.0.1:0", "--log", filepath.Join(dir, "log")}
	if token != "" {
		args = append(args, "--token", token)
	}
	s := &apiServer{t: t, dir: dir, cmd: exec.Command(binary, args...)}
	s.cmd.Env, s.cmd.Dir = append(os.Environ(), frontEnv(dir)...), work
	said, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "listening on "); ok {
			s.base = "http://" + strings.Fields(at)[0]
			break
		}
	}
	if s.base == "" {
		t.Fatal("it does not listen")
	}
	return s
}

// put sends a text for the file of a tag.
func (s *apiServer) put(text, tag string) apitest.Answer {
	s.t.Helper()
	return s.Ask("PUT", "/config", []byte(text), "Content-Type", "application/cue", "If-Match", tag)
}

func (s *apiServer) tag() string {
	s.t.Helper()
	return s.Ask("GET", "/config?path=api", nil).Tag()
}

// awaitTool waits until a tool of an upstream server is known.
func (s *apiServer) awaitTool(name string) {
	s.t.Helper()
	clocktest.Until(s.t, name+" comes", func() bool {
		return bytes.Contains(s.Ask("GET", "/tools", nil).Body, []byte(`"`+name+`"`))
	})
}

// files are those of the configuration, with what they hold.
func (s *apiServer) files() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	list, err := filepath.Glob(filepath.Join(s.dir, "*.cue"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		out[filepath.Base(name)] = string(text)
	}
	return out
}

func TestControlAPIRefuses(t *testing.T) {
	skipShort(t)
	t.Parallel()
	s := serveAPI(t, "", apiToken)
	if bare := apitest.New(t, s.base, apiToken); bare.Ask("GET", "/health", nil, "Authorization", "").Code() != api.TokenWrong {
		t.Error("a missing token is let in")
	}
	before := s.files()
	cue := []string{"Content-Type", "application/cue", "If-Match", s.tag()}
	object := []string{"Content-Type", "application/json"}
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     string
	}{
		{"wrong token", "GET", "/config", "", []string{"Authorization", "Bearer 0123456789abcdef0124"}, 401, api.TokenWrong},
		{"token of another scheme", "GET", "/config", "", []string{"Authorization", "Basic " + apiToken}, 401, api.TokenWrong},
		{"foreign origin", "GET", "/sessions", "", []string{"Origin", "https://evil.example"}, 403, api.OriginRefused},
		{"foreign origin, asking first", "OPTIONS", "/config", "", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "PUT"}, 403, api.OriginRefused},
		{"foreign host", "GET", "/config", "", []string{"Host", "evil.example"}, 403, api.HostRefused},
		{"no such path", "GET", "/configs", "", nil, 404, api.NotFound},
		{"below a path", "GET", "/health/x", "", nil, 404, api.NotFound},
		{"no such method", "DELETE", "/config", "", nil, 405, api.MethodNotAllowed},
		{"asking first", "OPTIONS", "/override", "", nil, 405, api.MethodNotAllowed},
		{"unknown parameter", "GET", "/sessions?mots=3", "", nil, 400, api.BadRequest},
		{"a parameter twice", "GET", "/sessions?most=3&most=4", "", nil, 400, api.BadRequest},
		{"a parameter out of bounds", "GET", "/sessions?most=100000", "", nil, 400, api.BadRequest},
		{"a parameter that is no number", "GET", "/predictions/x?most=ten", "", nil, 400, api.BadRequest},
		{"unknown setting", "GET", "/config?path=roles.locater", "", nil, 404, api.SettingUnknown},
		{"unknown session", "GET", "/sessions/none", "", nil, 404, api.SessionUnknown},
		{"unknown session, predicted", "GET", "/predictions/none", "", nil, 404, api.SessionUnknown},
		{"unknown tool", "GET", "/tools/files__raed/stats", "", nil, 404, api.ToolUnknown},
		{"a tool of ours", "GET", "/tools/ping/stats", "", nil, 404, api.ToolUnknown},
		{"a tool with a slash", "GET", "/tools/files%2Fread/stats", "", nil, 404, api.ToolUnknown},
		{"no body", "POST", "/override", "", object, 400, api.BadBody},
		{"not JSON", "POST", "/override", `{"tool":`, object, 400, api.BadBody},
		{"no object", "POST", "/override", `["tool"]`, object, 400, api.BadBody},
		{"null", "POST", "/override", `null`, object, 400, api.BadBody},
		{"two objects", "POST", "/override", `{"tool":"a","relevant":true}{}`, object, 400, api.BadBody},
		{"not UTF-8", "POST", "/override", "{\"tool\":\"\xff\",\"relevant\":true}", object, 400, api.BadBody},
		{"a wrong type", "POST", "/override", `{"tool":7,"relevant":true}`, object, 400, api.BadBody},
		{"a word for a truth", "POST", "/override", `{"tool":"a","relevant":"yes"}`, object, 400, api.BadBody},
		{"an unknown field", "POST", "/override", `{"tool":"a","relevant":true,"profil":"x"}`, object, 400, api.BadBody},
		{"a missing field", "POST", "/override", `{"tool":"a"}`, object, 400, api.BadBody},
		{"null where a text belongs", "POST", "/override", `{"tool":null,"relevant":true}`, object, 400, api.BadBody},
		{"as a form", "POST", "/override", `{"tool":"a","relevant":true}`, []string{"Content-Type", "text/plain"}, 415, api.BadMediaType},
		{"packed", "POST", "/override", `{"tool":"a","relevant":true}`, append(object, "Content-Encoding", "gzip"), 415, api.BadMediaType},
		{"huge", "POST", "/override", `{"tool":"` + strings.Repeat("a", 1<<20) + `"}`, object, 413, api.TooLarge},
		{"override of no tool", "POST", "/override", `{"tool":"files__raed","relevant":true}`, object, 404, api.ToolUnknown},
		{"override for no profile", "POST", "/override", `{"tool":"a","relevant":true,"profile":"wokr"}`, object, 404, api.ProfileUnknown},
		{"a tool that is none", "POST", "/tools/pnig", `{}`, object, 404, api.ToolUnknown},
		{"an argument that is none", "POST", "/tools/research_codebase", `{"qestion":"x"}`, object, 422, api.ToolInput},
		{"arguments that are none", "POST", "/tools/ping", `[]`, object, 400, api.BadBody},
		{"a text as JSON", "PUT", "/config", `{"text":"package compactor"}`, []string{"Content-Type", "application/json", "If-Match", s.tag()}, 415, api.BadMediaType},
		{"a text that is too large", "PUT", "/config", "package compactor\n//" + strings.Repeat("a", 1<<20), cue, 413, api.TooLarge},
		{"a text that is none", "PUT", "/config", "package compactor\n//\xff", cue, 400, api.BadBody},
		{"without a tag", "PUT", "/config", "package compactor\n", cue[:2], 428, api.TagNeeded},
		{"for any tag", "PUT", "/config", "package compactor\n", []string{"Content-Type", "application/cue", "If-Match", "*"}, 428, api.TagNeeded},
		{"with another tag", "PUT", "/config", "package compactor\n", []string{"Content-Type", "application/cue", "If-Match", `"abc"`}, 412, api.ConfigChanged},
		{"no CUE", "PUT", "/config", "package compactor\nroles: {", cue, 422, api.ConfigInvalid},
		{"an unknown field of it", "PUT", "/config", "package compactor\nroles: locator: budget: tim: \"20s\"\n", cue, 422, api.ConfigInvalid},
		{"a root that is not there", "PUT", "/config", "package compactor\nroots: code: [\"/nowhere/at/all\"]\n", cue, 422, api.ConfigInvalid},
		{"a bomb", "PUT", "/config", bomb(), cue, 422, api.ConfigInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.Ask(c.method, c.path, []byte(c.body), c.headers...)
			if got.Status != c.status || got.Code() != c.code {
				t.Errorf("%d %.300s, want %d %s", got.Status, got.Body, c.status, c.code)
			}
			if c.status == 405 && got.Header.Get("Allow") == "" {
				t.Error("it does not say what is allowed")
			}
		})
	}
	// Of a body without end no more is read than of a large one, and the rest is cut off.
	endless, _ := http.NewRequest("POST", s.base+"/override", io.LimitReader(zeros{}, 1<<32))
	endless.Header = http.Header{"Authorization": {"Bearer " + apiToken}, "Content-Type": {"application/json"}}
	if res, err := http.DefaultClient.Do(endless); err == nil {
		_ = res.Body.Close()
		if res.StatusCode != 413 {
			t.Errorf("an endless body: %s", res.Status)
		}
	}
	if after := s.files(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the configuration was changed: %q", after)
	}
	if got := s.Ask("HEAD", "/config", nil); got.Status != 200 || len(got.Body) != 0 || got.Tag() == "" {
		t.Errorf("HEAD: %d %q %v", got.Status, got.Body, got.Header)
	}
	// The protocol's own path keeps its manners.
	if got := s.Ask("GET", server.Path, nil, "Authorization", ""); got.Status != 401 || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v", got.Status, got.Header)
	}
}

// zeros is a text without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// bomb is a short text that becomes a very long one.
func bomb() string {
	var b strings.Builder
	b.WriteString("package compactor\n_a0: \"xxxxxxxxxx\"\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "_a%d: _a%d+_a%d+_a%d+_a%d+_a%d+_a%d+_a%d+_a%d\n", i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	return b.String() + "roles: locator: prompt: _a11\n"
}

// Without a token every program of the machine is let in, which may look, and change
// nothing that stays.
func TestControlAPIWithoutAToken(t *testing.T) {
	t.Parallel()
	s := serveAPI(t, "", "")
	for _, path := range []string{"/health", "/healthz", "/readyz", "/metrics", "/config", "/sessions", "/tools"} {
		if got := s.Ask("GET", path, nil); got.Status != 200 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	for _, got := range []apitest.Answer{
		s.put("package compactor\n", s.tag()), s.Ask("GET", "/config/text", nil),
		s.Ask("POST", "/override", []byte(`{"tool":"a","relevant":true}`), "Content-Type", "application/json"),
	} {
		if got.Status != 403 || got.Code() != api.TokenNeeded {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if len(s.files()) != 1 {
		t.Error("a file was written")
	}
}

// A valid text acts at once, is read back as it is, and gives way to none that has not
// seen it; keys that are written in it are masked where it is only looked at.
func TestControlAPIReplacesTheConfiguration(t *testing.T) {
	t.Parallel()
	const key = "kJ7tPq3ZsW9xLb2V"
	s := serveAPI(t, `roles: locator: budget: files: 7`+"\n", apiToken)
	text := "package compactor\n\nroles: locator: budget: time: \"19s\"\nservers: keyed: {command: \"sampleserver\", args: [\"memory\"], env: API_KEY: \"" + key + "\", enabled: false}\n"
	first := s.tag()
	put := s.put(text, first)
	if put.Status != 200 || put.Tag() == first || put.Tag() == "" {
		t.Fatalf("%d %s", put.Status, put.Body)
	}
	if got := s.files()["api.cue"]; got != text {
		t.Errorf("the file holds %q", got)
	}
	var c api.Configuration
	s.Ask("GET", "/config?path=roles.locator.budget", nil).JSON(t, &c)
	said := map[string]api.Setting{}
	for _, x := range c.Settings {
		said[x.Path] = x
	}
	if x := said["roles.locator.budget.time"]; x.Value != "19s" || !strings.HasSuffix(x.From, "api.cue:3:31") {
		t.Errorf("%+v", x)
	}
	if x := said["roles.locator.budget.files"]; x.Value != 7.0 || !strings.Contains(x.From, "compactor.cue:2") {
		t.Errorf("%+v", x)
	}
	if all := s.Ask("GET", "/config", nil); bytes.Contains(all.Body, []byte(key)) || !bytes.Contains(all.Body, []byte("servers.keyed")) {
		t.Error("a key is shown, or nothing")
	}
	if back := s.Ask("GET", "/config/text", nil); string(back.Body) != text || back.Tag() != put.Tag() {
		t.Errorf("%q %s", back.Body, back.Tag())
	}
	before := s.files()
	for _, c := range []struct{ name, text, tag, code string }{
		{"an old tag", "package compactor\n", first, api.ConfigChanged},
		{"a mistake", "package compactor\nroles: locater: budget: files: 3\n", put.Tag(), api.ConfigInvalid},
		{"against the other file", "package compactor\nroles: locator: budget: files: 9\n", put.Tag(), api.ConfigInvalid},
	} {
		got := s.put(c.text, c.tag)
		var p api.Problem
		got.JSON(t, &p)
		if p.Code != c.code || fmt.Sprint(s.files()) != fmt.Sprint(before) {
			t.Errorf("%s: %s %q", c.name, got.Body, s.files())
		}
		if c.code != api.ConfigInvalid {
			continue
		}
		if len(p.Diagnostics) == 0 || p.Diagnostics[0].Line == 0 || p.Diagnostics[0].Col == 0 || p.Diagnostics[0].Code == "" || p.Diagnostics[0].Message == "" {
			t.Errorf("%s: %s", c.name, got.Body)
		}
	}
	// Somebody's editor saves meanwhile.
	if err := os.WriteFile(filepath.Join(s.dir, "api.cue"), []byte(text+"// by hand\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.put("package compactor\n", put.Tag()); got.Code() != api.ConfigChanged || s.files()["api.cue"] != text+"// by hand\n" {
		t.Errorf("an edit by hand is lost: %s", got.Body)
	}
	if got := s.put("package compactor\n", s.tag()); got.Status != 200 {
		t.Errorf("%s", got.Body)
	}
	s.Ask("GET", "/config?path=roles.locator.budget.time", nil).JSON(t, &c)
	if strings.Contains(c.Settings[0].From, "api.cue") {
		t.Errorf("what was taken back still acts: %+v", c.Settings[0])
	}
}

// Of clients that change the same text at once one is heard, and the others are told.
func TestControlAPIChangesAtOnce(t *testing.T) {
	t.Parallel()
	s := serveAPI(t, "", apiToken)
	tag := s.tag()
	const clients = 6
	answers := make([]apitest.Answer, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			answers[i] = s.put(fmt.Sprintf("package compactor\nroles: locator: budget: files: %d\n", 10+i), tag)
		})
	}
	all.Wait()
	won := -1
	for i, a := range answers {
		switch {
		case a.Status == 200 && won < 0:
			won = i
		case a.Status == 412 && a.Code() == api.ConfigChanged:
		default:
			t.Errorf("client %d: %d %s", i, a.Status, a.Body)
		}
	}
	if want := fmt.Sprintf("files: %d\n", 10+won); !strings.HasSuffix(s.files()["api.cue"], want) {
		t.Errorf("%q, want %q", s.files()["api.cue"], want)
	}
	var c api.Configuration
	s.Ask("GET", "/config?path=roles.locator.budget.files", nil).JSON(t, &c)
	if c.Settings[0].Value != float64(10+won) {
		t.Errorf("%v acts", c.Settings[0].Value)
	}
}

// A process that is killed while texts are replaced leaves one of them, whole.
func TestControlAPIKilledWhileItWrites(t *testing.T) {
	t.Parallel()
	rounds := 4
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 100
	}
	dir, _ := frontDir(t, "")
	texts := map[string]bool{"": true}
	for i := range 40 {
		texts[longText(i)] = true
	}
	for round := range rounds {
		s := serveAPIIn(t, dir, apiToken)
		tag := s.tag()
		time.AfterFunc(time.Duration(150+round*37%700)*time.Millisecond, func() { _ = s.cmd.Process.Kill() })
		for i := 0; ; i++ {
			req, _ := http.NewRequest("PUT", s.base+"/config", strings.NewReader(longText(i%40)))
			req.Header = http.Header{"Authorization": {"Bearer " + apiToken}, "Content-Type": {"application/cue"}, "If-Match": {tag}}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				break // it was killed
			}
			tag = res.Header.Get("ETag")
			_ = res.Body.Close()
			if res.StatusCode != 200 {
				t.Fatal(res.Status)
			}
		}
		_ = s.cmd.Wait()
		if text := s.files()["api.cue"]; !texts[text] {
			t.Fatalf("round %d: a text that nobody sent, of %d bytes", round, len(text))
		}
	}
}

// longText is valid and takes several pages of a file.
func longText(n int) string {
	return fmt.Sprintf("package compactor\n\n// %s\nroles: locator: budget: files: %d\n", strings.Repeat("x", 100_000), 10+n)
}

// A project's configuration is never written: that of the user beside it is, and what
// the project may not say it may not say through that either.
func TestControlAPILeavesTheProjectAlone(t *testing.T) {
	dir := t.TempDir()
	home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	for name, text := range map[string]string{
		filepath.Join(project, ".compactor", "compactor.cue"): "package compactor\nservers: evil: {command: \"sh\", args: [\"-c\", \"touch " + filepath.Join(dir, "owned") + "\"]}\n",
		filepath.Join(project, ".git", "HEAD"):                "ref: refs/heads/main\n",
		filepath.Join(home, "compactor", "compactor.cue"):     "package compactor\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("COMPACTOR_CONFIG", "")
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	start := func() *apiServer {
		cmd := exec.Command(binary, "serve", "--transport", "http", "--listen", "127.0.0.1:0", "--token", apiToken, "--log", filepath.Join(dir, "log"))
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+home)
		said, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if _, at, ok := strings.Cut(lines.Text(), "listening on "); ok {
				base := "http://" + strings.Fields(at)[0]
				return &apiServer{Client: apitest.New(t, base, apiToken), t: t, dir: filepath.Join(home, "compactor"), base: base, cmd: cmd}
			}
		}
		t.Fatal("it does not listen")
		return nil
	}
	s := start()
	before, _ := os.ReadFile(filepath.Join(project, ".compactor", "compactor.cue"))
	if got := s.put("package compactor\nroles: locator: budget: files: 11\n", s.tag()); got.Status != 200 {
		t.Fatalf("%s", got.Body)
	}
	after, _ := os.ReadFile(filepath.Join(project, ".compactor", "compactor.cue"))
	if list, _ := filepath.Glob(filepath.Join(project, ".compactor", "*")); len(list) != 1 || !bytes.Equal(before, after) {
		t.Errorf("the project's directory holds %v", list)
	}
	if s.files()["api.cue"] == "" {
		t.Error("nothing was written")
	}
	var c api.Configuration
	s.Ask("GET", "/config?path=roles.locator.budget.files", nil).JSON(t, &c)
	if len(c.Waits) == 0 || c.Settings[0].Value != 11.0 || !strings.HasPrefix(c.Allow, "compactor allow") {
		t.Errorf("%+v", c)
	}
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("what waits was run")
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	// Where the user has no directory, there is no place.
	if err := os.RemoveAll(filepath.Join(home, "compactor")); err != nil {
		t.Fatal(err)
	}
	s = start()
	if got := s.put("package compactor\n", ""); got.Code() != api.ConfigNoPlace || !strings.Contains(string(got.Body), "compactor init ~/.config/compactor") {
		t.Errorf("without a tag: %s", got.Body)
	}
	if got := s.put("package compactor\n", `"none"`); got.Code() != api.ConfigNoPlace {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// What sessions did is told as it was: tools shown, called and hidden, their counts, what
// is predicted; and what a person says of a tool acts on the next list.
func TestControlAPITellsOfSessions(t *testing.T) {
	t.Parallel()
	files := t.TempDir()
	if err := os.WriteFile(filepath.Join(files, "a.txt"), []byte("milk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveAPI(t, fmt.Sprintf(`
gateway: {surface: "proxy", selection: {min_tools: 2, max_tools: 2, room: 0}}
servers: files: {command: "sampleserver", args: ["files", %q]}
servers: memory: {command: "sampleserver", args: ["memory"]}
servers: notes: {command: "sampleserver", args: ["memory"]}
servers: broken: {command: "sampleserver-that-is-not-there"}
`, files), apiToken)
	var got apitest.Answer
	var r api.Readiness
	var state map[string]api.Check
	clocktest.Until(t, "three servers are ready and one is broken", func() bool {
		got = s.Ask("GET", "/readyz", nil)
		r, state = api.Readiness{}, map[string]api.Check{}
		got.JSON(t, &r)
		for _, c := range r.Checks {
			state[c.Name] = c
		}
		return state["server files"].Ready && state["server memory"].Ready && state["server notes"].Ready && state["server broken"].Cause != ""
	}, func() any { return string(got.Body) })
	if got.Status != 503 || r.Ready || state["server broken"].Ready || state["server broken"].Do == "" || !state["store"].Ready || !state["configuration"].Ready {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	var all api.Tools
	s.Ask("GET", "/tools", nil).JSON(t, &all)
	upstream := []string{}
	for _, x := range all.Tools {
		if x.Server != "" {
			upstream = append(upstream, x.Name)
		}
	}
	if len(upstream) < 4 {
		t.Fatalf("%v", upstream)
	}
	login := transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + apiToken})
	c := connect(t, clienttest.HTTP(t, s.base+server.Path, login), false)
	// until lists again while the server has not taken in what it learnt.
	until := func(what string, is func([]string) bool) (now []string) {
		t.Helper()
		clocktest.Until(t, what, func() bool {
			now = clienttest.Upstream(t, c)
			return is(now)
		}, func() any { return now })
		return now
	}
	shown := until("a short list", func(now []string) bool { return len(now) == 2 })
	hidden := []string{}
	for _, name := range upstream {
		if !slices.Contains(shown, name) {
			hidden = append(hidden, name)
		}
	}
	used, unused := hidden[0], hidden[1]
	var open api.Sessions
	s.Ask("GET", "/sessions", nil).JSON(t, &open)
	if !open.Kept || len(open.Sessions) != 1 || !open.Sessions[0].Live || fmt.Sprint(open.Sessions[0].Shown) != fmt.Sprint(shown) || open.Sessions[0].Offered != len(upstream) {
		t.Fatalf("before any call: %+v, listed %v", open, shown)
	}
	id := open.Sessions[0].ID
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = used, map[string]any{"path": "a.txt"}
	for range 3 {
		if _, err := c.CallTool(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	var one api.SessionDetail
	s.Ask("GET", "/sessions/"+id, nil).JSON(t, &one)
	if one.Calls != 3 || len(one.List) != 3 || one.List[2].Number != 3 || one.List[0].Tool != used || !one.List[0].Hidden || len(one.Tools) != 1 {
		t.Errorf("%+v", one)
	}
	if want := slices.Sorted(slices.Values(upstream)); !slices.Equal(one.Available, want) {
		t.Errorf("there were %q, and %q are said", want, one.Available)
	}
	var st api.Stats
	s.Ask("GET", "/tools/"+used+"/stats", nil).JSON(t, &st)
	if st.Calls != 3 || st.Succeeded+st.Failed != 3 || st.Used != 1 || st.Sessions != 1 || st.Durations == nil || st.Durations.MaxMS < st.Durations.P50MS || st.Last == nil || st.Last.Before(*st.First) {
		t.Errorf("%+v", st)
	}
	if st.HiddenCalls != 3 || st.Shown != 0 {
		t.Errorf("%+v", st)
	}
	var p api.Predictions
	s.Ask("GET", "/predictions/"+id, nil).JSON(t, &p)
	if !p.Live || p.Of != len(upstream) || p.Tools[0].Tool != used || p.Tools[0].Tier != "used" || p.Tools[0].Why == "" || len(p.List) == 0 {
		t.Errorf("%+v", p)
	}
	// A word of the user: on the next list, and kept.
	say := func(tool, relevant string) {
		t.Helper()
		if got := s.Ask("POST", "/override", []byte(`{"tool":"`+tool+`","relevant":`+relevant+`}`), "Content-Type", "application/json"); got.Status != 200 {
			t.Fatalf("%s", got.Body)
		}
	}
	tier := func(tool string) string {
		t.Helper()
		s.Ask("GET", "/predictions/"+id, nil).JSON(t, &p)
		for _, x := range p.Tools {
			if x.Tool == tool {
				return x.Tier
			}
		}
		return ""
	}
	say(unused, "true")
	if got := tier(unused); got != "pinned" || !slices.Contains(p.List, unused) {
		t.Errorf("%s is %s, the list %v", unused, got, p.List)
	}
	until("what is relevant", func(now []string) bool { return slices.Contains(now, unused) })
	say(unused, "false")
	if got := tier(unused); got != "unwanted" {
		t.Error(got)
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait()
	again := serveAPIIn(t, s.dir, apiToken)
	s.Client = again.Client
	if got := tier(unused); got != "unwanted" || p.Live {
		t.Errorf("after a restart: %s, %+v", got, p)
	}
	say(unused, "null")
	if got := tier(unused); got != "predicted" {
		t.Error(got)
	}
}

// The tools of the configuration can be run, those of a changed one too, and the
// description has them.
func TestControlAPIRunsTools(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pool.go"), []byte("package pool\n\n// NewPool builds the worker pool.\nfunc NewPool() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serveAPI(t, fmt.Sprintf("roots: code: [%q]\n", dir), apiToken)
	object := []string{"Content-Type", "application/json"}
	if got := s.Ask("POST", "/tools/ping", []byte(`{}`), object...); got.Status != 200 || string(bytes.TrimSpace(got.Body)) != `"pong"` {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	got := s.Ask("POST", "/tools/research_codebase", []byte(`{"question":"where is the worker pool built?"}`), object...)
	if got.Status != 200 || !bytes.Contains(got.Body, []byte("pool.go:")) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	var all api.Tools
	s.Ask("GET", "/tools", nil).JSON(t, &all)
	for _, x := range all.Tools {
		if at := s.Paths().Find("/tools/" + x.Name); at == nil || at.Post == nil || at.Post.RequestBody == nil {
			t.Errorf("%s is not described", x.Name)
		}
	}
	own := "package compactor\npipelines: say: {#input: text: string, stages: none: {builtin: \"host.ping\"}, output: \"none.value\"}\ntools: say_it: {pipeline: \"say\", description: \"Say it.\", input: text: string}\n"
	if put := s.put(own, s.tag()); put.Status != 200 {
		t.Fatalf("%s", put.Body)
	}
	s.Describe()
	if at := s.Paths().Find("/tools/say_it"); at == nil || at.Post == nil {
		t.Error("a new tool is not described")
	}
	if got := s.Ask("POST", "/tools/say_it", []byte(`{"text":"x"}`), object...); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// A question is asked with its steps as they happen, of the documents if there are any.
func TestControlAPIAsks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"pool.go": "package pool\n\n// NewPool builds the worker pool.\nfunc NewPool() {}\n", "guide/pools.md": "# Pools\n\nA pool keeps twelve connections open.\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	s := serveAPI(t, fmt.Sprintf("roots: code: [%q]\n", dir), apiToken)
	object := []string{"Content-Type", "application/json"}
	if got := s.Ask("POST", "/ask", []byte(`{"question":"where is the worker pool built?"}`), object...); got.Status != 200 || !bytes.Contains(got.Body, []byte("pool.go:")) {
		t.Errorf("the code alone: %d %s", got.Status, got.Body)
	}
	if put := s.put(fmt.Sprintf("package compactor\n\ncollections: guide: roots: [%q]\n", filepath.Join(dir, "guide")), s.tag()); put.Status != 200 {
		t.Fatalf("%s", put.Body)
	}
	s.Describe()
	if got := s.Ask("POST", "/collections/guide/index", nil); got.Status != 202 && got.Code() != api.IndexRunning {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	clocktest.Until(t, "the collection is indexed", func() bool {
		var one api.CollectionDetail
		s.Ask("GET", "/collections/guide", nil).JSON(t, &one)
		return one.Passages > 0
	})
	question := []byte(`{"question":"how many connections does a pool keep open?"}`)
	if got := s.Ask("POST", "/ask", question, object...); got.Status != 200 || !bytes.Contains(got.Body, []byte(`"quote":"A pool keeps twelve connections open."`)) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	got := s.Ask("POST", "/ask", question, append(object, "Accept", "text/event-stream")...)
	if events := string(got.Body); got.Header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(events, "event: progress\ndata: {") || !strings.Contains(events, "round 1 of at most 3") ||
		strings.Count(events, "event: result\ndata: {\"answer\":\"A pool keeps twelve") != 1 || !strings.HasSuffix(events, "\n\n") {
		t.Errorf("%v %s", got.Header, events)
	}
	got = s.Ask("POST", "/ask", []byte(`{"question":"who?","max_tool_calls":99}`), append(object, "Accept", "text/event-stream")...)
	if got.Status != 422 {
		t.Errorf("an argument that is not valid: %d %s", got.Status, got.Body)
	}
}

// Turned off, it tells of nothing.
func TestControlAPITurnedOff(t *testing.T) {
	t.Parallel()
	s := serveAPI(t, "api: enabled: false\n", apiToken)
	for _, path := range []string{"/config", "/sessions", "/tools", "/config/text"} {
		if got := s.Ask("GET", path, nil); got.Status != 404 || got.Code() != api.TurnedOff {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	if got := s.Ask("GET", "/healthz", nil); got.Status != 200 {
		t.Error(got.Status)
	}
	var m map[string]any
	s.Ask("GET", "/openapi.json", nil).JSON(t, &m)
	if raw, _ := json.Marshal(m["openapi"]); string(raw) != `"3.0.3"` {
		t.Errorf("%s", raw)
	}
}
