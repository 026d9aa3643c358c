package service

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
)

func (c *checker) server(name string, s config.Server) {
	u, err := url.Parse(variables.Replace(s.URL))
	switch {
	case c.isMisshapen(name): // it is set, but not to a string
	case s.Command == "" && s.URL == "":
		c.report("C128", "neither command nor url is set", "set command to the program that is the server, or url to its address", "servers", name)
	case s.Command != "" && s.URL != "":
		c.report("C128", "command and url are both set", "keep the one that reaches the server", "servers", name, "url")
	case s.Command != "" && (s.Kind == "http" || s.Kind == "sse"):
		c.report("C128", "a program is spoken to over stdio, not "+s.Kind, "leave kind out, or set url in place of command", "servers", name, "kind")
	case s.URL != "" && s.Kind == "stdio":
		c.report("C128", "an address is not spoken to over stdio", "leave kind out, or set command in place of url", "servers", name, "kind")
	case s.URL == "" || strings.HasPrefix(s.URL, "${"):
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
		c.report("C128", "\""+s.URL+"\" is not an address of a server", "write it with http:// or https://, such as http://localhost:3001/mcp",
			"servers", name, "url")
	case u.User != nil:
		c.report("C128", "the address holds a user name or password", "send it in headers: Authorization: \"Basic ${VAR}\"", "servers", name, "url")
	}
}

// variables strips the braces of ${VAR} from an address, so that the rest can be checked.
var variables = strings.NewReplacer("${", "", "}", "")

// isMisshapen reports whether command or url of a server was rejected already.
func (c *checker) isMisshapen(name string) bool {
	at := []string{config.JoinPath("servers", name, "command"), config.JoinPath("servers", name, "url"), config.JoinPath("servers", name)}
	return slices.ContainsFunc(c.found, func(d diag.Diagnostic) bool { return d.Code == "C021" && slices.Contains(at, d.Path) })
}

// warnDoubtful warns of settings that are unused or do not mean what they seem to.
func (c *checker) warnDoubtful(name string, s config.Server) {
	at := func(field ...string) []string { return append([]string{"servers", name}, field...) }
	warn := func(message, help string, field ...string) {
		c.warn("C128", message, help, at(field...)...)
	}
	c.warnCommandLine(s, at("command"))
	unused := func(field string, set bool, why string) {
		if set && (s.Command == "" || s.URL == "") {
			warn("is not used: "+why, "leave it out, or see which of command and url was meant", field)
		}
	}
	unused("args", s.URL != "" && len(s.Args) > 0, "a server with a url is not started")
	unused("env", s.URL != "" && len(s.Env) > 0, "a server with a url is not started")
	unused("dir", s.URL != "" && s.Dir != "", "a server with a url is not started")
	unused("headers", s.Command != "" && len(s.Headers) > 0, "a program is sent none")
	c.login(s, unused, warn, at)
	c.variablesOf(s, at)
}

// warnCommandLine warns of a command that is a whole command line.
func (c *checker) warnCommandLine(s config.Server, at []string) {
	if words := strings.Fields(s.Command); len(words) > 1 && !strings.ContainsAny(words[0], `/\`) {
		c.warn("C128", strconv.Quote(s.Command)+" is a command line, and no program is called so",
			"write command: "+strconv.Quote(words[0])+", args: "+quotedList(append(words[1:], s.Args...)), at...)
	}
}

// variablesOf checks how variables are written in the settings of a server or program.
func (c *checker) variablesOf(s config.Server, at func(field ...string) []string) {
	for key, v := range s.Env {
		c.variable(v, at("env", key)...)
	}
	for key, v := range s.Headers {
		c.variable(v, at("headers", key)...)
	}
	for i, v := range s.Args {
		c.variable(v, at("args", strconv.Itoa(i))...)
	}
}

// checkRenames checks that no two tools of a server have the same name.
func (c *checker) checkRenames(name string, s config.Server) {
	first := map[string]string{} // old name by new name
	for _, tool := range slices.Sorted(maps.Keys(s.Tools)) {
		to := s.Tools[tool].Rename
		if to == "" {
			continue
		}
		if other, taken := first[to]; taken {
			c.report("C151", "\""+to+"\" is what "+other+" is renamed to", "rename one of them to something else", "servers", name, "tools", tool, "rename")
		}
		first[to] = tool
	}
}

// login warns of login settings that can never work.
func (c *checker) login(s config.Server, unused func(string, bool, string), warn func(string, string, ...string), at func(...string) []string) {
	o := s.OAuth
	unused("oauth", s.Command != "" && !o.Empty(), "a program takes no login")
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") && !o.Empty() {
			warn("is not used: headers say what the server is authorized by", "leave out one of headers: Authorization and oauth", "oauth")
		}
	}
	if o.ClientSecret != "" && o.ClientID == "" {
		warn("is not used: it is the secret of no client", "write client_id too", "oauth", "client_secret")
	}
	c.variable(o.ClientID, at("oauth", "client_id")...)
	c.variable(o.ClientSecret, at("oauth", "client_secret")...)
	c.variable(o.Issuer, at("oauth", "issuer")...)
}

func quotedList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// foreign matches variables in the syntax of VS Code, and an unclosed one.
var foreign = lazyregexp.New(`\$\{(?:(env|input|config):([^{}]*)\}|[A-Za-z_][A-Za-z0-9_]*$)`)

func (c *checker) variable(value string, at ...string) {
	m := foreign.FindStringSubmatch(value)
	if m == nil {
		return
	}
	help := "close it with }"
	switch m[1] {
	case "env":
		help = "write ${" + m[2] + "}"
	case "input", "config":
		help = "write a variable such as ${API_KEY}, and its value into secrets.env beside the configuration"
	}
	c.warn("C128", "\""+m[0]+"\" is not a variable and is passed on as it is", help, at...)
}
