package mcpfile

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// entryReader reads one server.
type entryReader struct {
	src    Source
	inputs map[string]input
	vscode bool

	s     Server
	notes []string
	skip  string // why the server cannot be used at all
	typ   string
	lax   bool // has keys of programs that count timeouts in seconds
	limit []byte
}

func (r *entryReader) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *entryReader) skipServer(format string, args ...any) {
	if r.skip == "" {
		r.skip = fmt.Sprintf(format, args...)
	}
}

func (r *entryReader) read(value []byte) (Server, []string, string) {
	if rawjson.Of(value) != rawjson.Object {
		return r.s, nil, "it is not an object"
	}
	members, err := rawjson.Members(value)
	if err != nil {
		return r.s, nil, err.Error()
	}
	for i, m := range members {
		if last, _ := lastMember(members[i:], m.Name); &last[0] == &m.Value[0] {
			r.member(m.Name, m.Value)
		}
	}
	r.finish()
	return r.s, r.notes, r.skip
}

// quiet are members unrelated to how a server is reached: what a client shows, or what it may do without asking its
// user.
var quiet = map[string]bool{
	"name": true, "id": true, "title": true, "icon": true, "gallery": true, "version": true, "source": true, "tags": true,
	"$schema": true, "trust": true, "registryBaseUrl": true, "settings": true, "dev": true, "chatsettings": true,
}

func (r *entryReader) member(key string, v []byte) {
	switch key {
	case "type", "transport", "transportType":
		r.typ, _ = scalarText(v)
	case "command":
		r.command(v)
	case "args":
		r.args(v)
	case "env", "environment":
		r.environ(r.texts(key, v, envName))
	case "headers", "http_headers":
		r.header(r.texts(key, v, headerName))
	case "env_http_headers", "bearer_token_env_var", "env_vars", "tool_timeout_sec":
		r.codex(key, v)
	case "cwd", "dir", "workingDirectory":
		r.s.Dir = r.expandFixed(key, r.text(key, v))
	case "url", "serverUrl":
		r.s.URL = r.expand(r.text(key, v))
	case "httpUrl":
		r.s.URL, r.typ = r.expand(r.text(key, v)), "http"
	case "disabled":
		r.s.Disabled = r.readBool(key, v)
	case "enabled", "isActive":
		r.s.Disabled = !r.readBool(key, v)
	case "timeout":
		r.limit = v
	case "description":
		r.s.Description = strings.Join(strings.Fields(r.text(key, v)), " ")
	case "envFile":
		r.s.EnvFile = r.expandFixed(key, r.text(key, v))
	case "allowedTools", "includeTools", "enabledTools", "allowed_tools", "enabled_tools", "tools":
		r.readAllowed(key, v)
	case "disabledTools", "excludeTools", "disabled_tools":
		r.s.DisabledTools = r.list(key, v)
	case "autoApprove", "alwaysAllow":
		r.lax = true
	case "auth", "oauth", "authProviderType", "authorization":
		r.note("%q is left out: sign in elsewhere and put the token into headers", key)
	default:
		if !quiet[key] {
			r.note("%q is not known here and left out", key)
		}
	}
}

func (r *entryReader) text(key string, v []byte) string {
	s, ok := scalarText(v)
	if !ok && rawjson.Of(v) != rawjson.Null {
		r.note("%q is not text and left out", key)
	}
	return s
}

func (r *entryReader) readBool(key string, v []byte) bool {
	s, ok := scalarText(v)
	if !ok || s != "true" && s != "false" {
		r.note("%q is not true or false and left out", key)
		return key != "disabled"
	}
	return s == "true"
}

func (r *entryReader) list(key string, v []byte) []string {
	if rawjson.Of(v) != rawjson.Array {
		if rawjson.Of(v) != rawjson.Null {
			r.note("%q is not a list and left out", key)
		}
		return nil
	}
	items, _ := rawjson.Items(v)
	out := []string{}
	for i, item := range items {
		s, ok := scalarText(item)
		if !ok {
			r.note("%s[%d] is not text and left out", key, i)
			continue
		}
		out = append(out, s)
	}
	return out
}

// readAllowed reads a list of the only tools to be used; "*" in it means all.
func (r *entryReader) readAllowed(key string, v []byte) {
	if rawjson.Of(v) == rawjson.Object { // Zed keeps permissions there
		r.note("%q is not a list and left out", key)
		return
	}
	list := r.list(key, v)
	for _, name := range list {
		if name == "*" {
			return
		}
	}
	if len(list) > 0 {
		r.s.AllowedTools = list
	}
}

var (
	envName    = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	headerName = lazyregexp.New("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
)

func (r *entryReader) texts(key string, v []byte, name *lazyregexp.Regexp) map[string]string {
	if rawjson.Of(v) != rawjson.Object {
		if rawjson.Of(v) != rawjson.Null {
			r.note("%q is not an object and left out", key)
		}
		return nil
	}
	members, _ := rawjson.Members(v)
	out := map[string]string{}
	for _, m := range members {
		text, ok := scalarText(m.Value)
		switch {
		case rawjson.Of(m.Value) == rawjson.Null: // VS Code: not set
		case !ok:
			r.note("%s.%s is not text and left out", key, m.Name)
		case !name.MatchString(m.Name):
			r.note("%s.%s is left out: no such name is possible", key, m.Name)
		default:
			out[m.Name] = r.expand(text)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// command reads a string, a list that begins with the program, or Zed's older object.
func (r *entryReader) command(v []byte) {
	switch rawjson.Of(v) {
	case rawjson.Array:
		if list := r.list("command", v); len(list) > 0 {
			r.s.Command = r.expandFixed("command", list[0])
			for _, a := range list[1:] {
				r.s.Args = append(r.s.Args, r.expand(a))
			}
		}
	case rawjson.Object:
		members, _ := rawjson.Members(v)
		for _, m := range members {
			switch m.Name {
			case "path":
				r.member("command", m.Value)
			case "args", "env":
				r.member(m.Name, m.Value)
			}
		}
	default:
		r.s.Command = strings.TrimSpace(r.expandFixed("command", r.text("command", v)))
	}
}

func (r *entryReader) args(v []byte) {
	var list []string
	if rawjson.Of(v) == rawjson.String {
		text, _ := scalarText(v)
		list = splitWords(text)
		r.note("args was one string; it was cut into %d arguments", len(list))
	} else {
		list = r.list("args", v)
	}
	for _, a := range list {
		r.s.Args = append(r.s.Args, r.expand(a))
	}
}

// splitWords splits a command line at white space, respecting quotes.
func splitWords(line string) []string {
	var out []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, in = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

// finish settles what depends on several members.
func (r *entryReader) finish() {
	r.kind()
	if r.limit != nil {
		r.timeout(r.limit)
	}
	s := &r.s
	if strings.ContainsAny(s.Command, " \t") && len(s.Args) == 0 && !strings.ContainsAny(splitWords(s.Command)[0], `/\`) {
		line := splitWords(s.Command)
		s.Command, s.Args = line[0], line[1:]
		r.note("command held arguments; they are in args now")
	}
	switch {
	case s.Command == "" && s.URL == "":
		r.skipServer("it has neither a command nor a URL")
	case s.Command != "" && s.URL != "" && (s.Kind == "http" || s.Kind == "sse"):
		s.Command, s.Args, s.Env, s.Dir = "", nil, nil, ""
		r.note("it has a command and a URL; its type says the URL counts")
	case s.Command != "" && s.URL != "":
		s.URL, s.Headers = "", nil
		r.note("it has a command and a URL; the command counts")
	}
	switch {
	case s.Command != "" && isSelf(s.Command):
		r.skipServer("it is compactor itself, which would call itself")
	case s.Command != "":
		s.Kind = "stdio"
	case s.Kind == "stdio":
		s.Kind = ""
		r.note("its type is stdio, but it has a URL and no command")
	}
	if s.URL != "" {
		r.checkURL()
	}
}

func (r *entryReader) kind() {
	switch t := strings.ToLower(r.typ); strings.NewReplacer("-", "", "_", "").Replace(t) {
	case "", "remote":
	case "stdio", "local":
		r.s.Kind = "stdio"
	case "http", "streamablehttp":
		// VS Code tries SSE if http is refused, so there the type is not conclusive.
		if !r.vscode {
			r.s.Kind = "http"
		}
	case "sse":
		r.s.Kind = "sse"
	case "ws", "websocket", "sdk", "builtin", "platform":
		r.skipServer("servers of type %q cannot be used from outside that program", r.typ)
	default:
		r.note("type %q is not known and left out", r.typ)
	}
}

// timeout reads a number as milliseconds, like LM Studio, or as seconds if it would be less than one second, or if the
// entry has the keys of Cline and its relatives, which count in seconds.
func (r *entryReader) timeout(v []byte) {
	text, _ := scalarText(v)
	d, err := time.ParseDuration(text + "ms")
	if rawjson.Of(v) == rawjson.String && err != nil {
		d, err = time.ParseDuration(text)
	} else if d < time.Second || r.lax && d <= 3600*time.Millisecond {
		d *= 1000
	}
	if err != nil || d <= 0 || d > 24*time.Hour {
		r.note("timeout %s is left out", text)
		return
	}
	r.s.Timeout = d.Round(time.Millisecond)
}

func (r *entryReader) checkURL() {
	if strings.HasPrefix(r.s.URL, "${") {
		return
	}
	u, err := url.Parse(strings.NewReplacer("${", "", "}", "").Replace(r.s.URL))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		r.skipServer("its URL is not one of http:// or https://")
	}
}

// isSelf recognizes our own program by name.
func isSelf(command string) bool {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe") == "compactor"
}
