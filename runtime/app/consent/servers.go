package consent

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// addServers adds the programs and addresses that the project declares. A disabled server
// reaches nothing.
func (j *judge) addServers() {
	for _, name := range sorted(j.cfg.Servers) {
		s := j.cfg.Servers[name]
		if !s.Project || !s.Enabled {
			continue
		}
		does := j.serverLines(s)
		// A project's rules only take away, but what they take away from its own servers
		// is part of what the user has seen.
		for _, r := range j.cfg.ProjectRules {
			does = append(does, ruleLine(r))
		}
		j.addItem(Item{Kind: "server", Path: config.JoinPath("servers", name), Does: does, Files: j.filesOf(s)})
		if s.URL != "" && !slices.ContainsFunc(sorted(s.Headers), func(h string) bool { return strings.EqualFold(h, "Authorization") }) {
			j.items[len(j.items)-1].Also = "logs in, where that is wanted, by the login that you make for it in this project, and by no other of yours"
		}
	}
}

// serverLines describes how a server is reached, what it gets, what it may ask for, and
// what is said about it, as declared: variables are not expanded.
func (j *judge) serverLines(s config.Server) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.Command != "" {
		say("runs %s", commandLine(append([]string{s.Command}, s.Args...)))
	}
	if s.Dir != "" || isRelative(s.Command) {
		say("in %s", Real(j.absolute(s.Dir)))
	}
	if s.URL != "" {
		say("connects to %s", s.URL)
	}
	if s.Kind != "" {
		say("over %s", s.Kind)
	}
	for _, name := range sorted(s.Env) {
		say("with %s=%s", name, s.Env[name])
	}
	for _, name := range sorted(s.Headers) {
		say("with %s: %s", name, s.Headers[name])
	}
	if o := s.OAuth; !o.Empty() {
		say("logs you in as client %q with secret %q, scopes %q, port %d, at %q", o.ClientID, o.ClientSecret, strings.Join(o.Scopes, " "), o.RedirectPort, o.Issuer)
	}
	if len(s.Allow) > 0 {
		say("may ask the chat client for %s", strings.Join(s.Allow, ", "))
	}
	if s.Trust != "" {
		say("trust %s: %s", s.Trust, trustMeaning[s.Trust])
	}
	for _, tool := range sorted(s.Pins) {
		say("tool %s is trusted as %s", tool, s.Pins[tool])
	}
	if s.Prefix != s.Name {
		say("names its tools with %q in front", s.Prefix)
	}
	tell := func(of, text string) {
		if text != "" {
			say("tells the chat model%s: %s", of, quote(text))
		}
	}
	tell("", s.Description)
	tell(", as words to search by", strings.Join(slices.Concat(s.Keywords, s.Tags), " "))
	for _, tool := range sorted(s.Tools) {
		t := s.Tools[tool]
		tell(" of "+tool, strings.TrimSpace(t.Rename+" "+t.Description+" "+strings.Join(t.Keywords, " ")))
		for _, e := range t.Examples {
			if call, err := json.Marshal(e); err == nil {
				tell(", as an example of "+tool, string(call))
			}
		}
	}
	return out
}

// addDependencies adds the programs that the project declares for compactor supervise.
func (j *judge) addDependencies() {
	for _, name := range sorted(j.cfg.Dependencies) {
		d := j.cfg.Dependencies[name]
		if !d.Program.Project {
			continue
		}
		does := j.serverLines(d.Program)
		if len(d.Check) > 0 {
			does = append(does, "asks whether it is ready with "+commandLine(d.Check))
		}
		if d.Health != "" {
			does = append(does, "asks whether it is ready at "+d.Health)
		}
		if d.Addr != "" {
			does = append(does, "has the project's servers connect to "+d.Addr)
		}
		j.addItem(Item{Kind: "dependency", Path: config.JoinPath("dependencies", name), Does: does, Files: j.filesOfDependency(d)})
	}
}

// isRelative reports whether a program is looked up relative to its start directory.
func isRelative(command string) bool {
	return strings.ContainsAny(command, `/\`) && !filepath.IsAbs(command)
}

// commandLine formats a command for display. Words whose end would not be visible are
// quoted.
func commandLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; w == "" || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(" '\"&;|<>()*?`\\", r) }) {
			out[i] = quote(w)
		}
	}
	return strings.Join(out, " ")
}

var trustMeaning = map[string]string{
	"first": "its tools are trusted as they are first seen",
	"ask":   "each of its tools needs your approval",
	"off":   "its tools are trusted whatever they become",
}

func ruleLine(r config.ToolRule) string {
	verb := "tags"
	if r.Enabled != nil {
		verb = map[bool]string{true: "enables", false: "disables"}[*r.Enabled]
	}
	text := verb + " " + strings.Join(quoteAll(r.Pattern), ", ")
	if r.Server != "" {
		text += " of " + r.Server
	}
	if len(r.Tags) > 0 {
		text += " as " + strings.Join(r.Tags, ", ")
	}
	return text
}

// addModels adds remote endpoints, keys, and files that supply answers.
func (j *judge) addModels() {
	for _, name := range sorted(j.cfg.Models) {
		m := j.cfg.Models[name]
		if reflect.DeepEqual(m, j.base.Models[name]) || harmlessChain(j.cfg.Models, name, j.world.Dir) {
			continue
		}
		var does []string
		switch {
		case m.Provider == "replay":
			does = append(does, "answers from the file "+m.URL)
		case m.URL != "":
			does = append(does, "sends what roles have read to "+m.URL)
		}
		if m.Key != "" {
			does = append(does, "with the value of your environment variable "+m.Key)
		}
		if len(m.Fallback) > 0 {
			does = append(does, "or, where it does not answer, to "+strings.Join(m.Fallback, ", "))
		}
		j.add("model", []string{"models", name}, does...)
	}
}
