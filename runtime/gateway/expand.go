package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// variable matches ${NAME} or ${NAME:-default}.
var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// secret is the value of a variable, which must not appear in a result.
type secret struct{ name, value string }

// secretName matches the names of variables that hold secrets, but not author or keyword.
var secretName = lazyregexp.New(`(?i)key([^bw]|$)|token|secret|pass|auth([^o]|$|o([^r]|$|ri[sz]))|cred|cookie|pwd|pat$`)

// minSecret is the minimum length of a secret in bytes. Shorter values are too common in texts to be masked wherever
// they occur.
const minSecret = 8

// isSecret distinguishes keys from paths and addresses, which results may well name.
func isSecret(name, value string) bool {
	return len(value) >= minSecret && secretName.MatchString(name) && !strings.HasPrefix(value, "/") && !strings.Contains(value, "://")
}

// expander replaces variables and records the secrets that it inserted and the variables that are missing.
type expander struct {
	lookup  func(string) (string, bool)
	secrets map[string]string // value → name, of variables and of literal secrets in the configuration
	missing []string
}

// keepSecret records a value that its own name or its place marks as a secret.
func (x *expander) keepSecret(name, place, value string) {
	if isSecret(name, value) || isSecret(place, value) {
		x.secrets[value] = name
	}
}

// keepPassword records the password of an expanded address, and returns the address. One without digits is not recorded: it
// is usually a placeholder ("postgres", "changeme"), and a word that occurs in tools and results.
func (x *expander) keepPassword(address string) string {
	password := passwordIn(address)
	if len(password) >= minSecret && strings.ContainsAny(password, "0123456789") && x.secrets[password] == "" {
		x.secrets[password] = "password"
	}
	return address
}

// expandText expands s. place is the name of the variable, header or option that s is the value of.
func (x *expander) expandText(place, s string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	return variable.ReplaceAllStringFunc(s, func(m string) string {
		parts := variable.FindStringSubmatch(m)
		value, ok := x.lookup(parts[1])
		switch {
		case ok:
			x.keepSecret(parts[1], place, value)
			return value
		case parts[2] != "":
			return parts[3]
		}
		if !slices.Contains(x.missing, parts[1]) {
			x.missing = append(x.missing, parts[1])
		}
		return ""
	})
}

func (x *expander) expandMap(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out[k] = x.keepPassword(x.expandText(k, m[k]))
		x.keepLiteral(k, m[k])
	}
	return out
}

// keepLiteral records a key written literally in the configuration.
func (x *expander) keepLiteral(name, value string) {
	if _, bare, ok := strings.Cut(value, " "); ok { // Bearer KEY
		value = bare
	}
	if !strings.Contains(value, "${") {
		x.keepSecret(name, name, value)
	}
}

// expandArgs expands arguments. The option that an argument belongs to says what it is: --token VALUE or --token=VALUE.
func (x *expander) expandArgs(list []string) []string {
	var out []string
	before := ""
	for _, a := range list {
		option, value := optionOf(before, a)
		expanded := x.expandText(option, a)
		_, set, _ := strings.Cut(expanded, "=")
		x.keepPassword(expanded)
		x.keepPassword(set)
		out = append(out, expanded)
		x.keepLiteral(option, value)
		before = a
	}
	return out
}

// optionName matches the ends of options and parameters that hold secrets. Options use more words than variables do:
// --author and --keywords hold no secrets.
var optionName = lazyregexp.New(`(?i)(key|token|secret|password|passwd|pwd|pat|credentials?|auth|authorization|cookie)$`)

// optionOf returns the option that an argument belongs to, or "" unless it holds a secret, and the argument's value.
func optionOf(before, arg string) (option, value string) {
	option, value, set := strings.Cut(arg, "=")
	switch {
	case strings.HasPrefix(arg, "-") && set:
	case !strings.HasPrefix(arg, "-") && strings.HasPrefix(before, "-") && !strings.Contains(before, "="):
		option, value = before, arg
	default:
		return "", arg
	}
	if !optionName.MatchString(option) {
		option = ""
	}
	return strings.TrimLeft(option, "-"), value
}

// expandURL expands a URL. The name of a query parameter says what its value is.
func (x *expander) expandURL(s string) string {
	head, query, ok := strings.Cut(s, "?")
	if !ok {
		return x.keepPassword(x.expandText("", s))
	}
	params := strings.Split(query, "&")
	for i, p := range params {
		name, value := optionOf("", "-"+p)
		params[i] = x.expandText(name, p)
		x.keepLiteral(name, value)
	}
	return x.keepPassword(x.expandText("", head)) + "?" + strings.Join(params, "&")
}

// expand builds the spec for upstream from a server's configuration. A variable that is not set is an error: a server
// without its key fails in less obvious ways.
func (reg *registry) expand(c config.Server) (upstream.Spec, []secret, error) {
	x := &expander{lookup: func(name string) (string, bool) { return reg.opt.Lookup(c, name) }, secrets: map[string]string{}}
	spec := upstream.Spec{
		Name: c.Name, Kind: c.Kind, Command: c.Command, Dir: absoluteDir(reg.opt.Work, c.Dir), Env: x.expandMap(c.Env), URL: x.expandURL(c.URL), Headers: x.expandMap(c.Headers),
		Args: x.expandArgs(c.Args), Typed: commandLine(c), Era: c.Era, Allow: c.Allow, StartTime: c.Start, CallTime: c.Timeout, MaxCallTime: c.MaxTimeout, Idle: c.Idle, Connections: c.Connections, MaxMessage: c.MaxMessage,
	}
	x.expandLogin(c.OAuth)
	if err := x.missingError("server "+c.Name, reg.opt.Provider); err != nil {
		return spec, nil, err
	}
	secrets := x.found()
	for _, s := range secrets {
		spec.Secrets = append(spec.Secrets, s.value)
	}
	return spec, secrets, nil
}

// missingError returns an error that names the variables that are not set and says how to set them, or nil if all are set.
func (x *expander) missingError(of string, provider func(variable string) string) error {
	if len(x.missing) == 0 {
		return nil
	}
	do := "set it in the environment of compactor or in secrets.env beside the configuration"
	for _, name := range x.missing {
		if provider != nil && provider(name) != "" {
			do = "dependency " + provider(name) + " sets it while it runs under compactor supervise"
			break
		}
	}
	return &contract.Error{Name: "ConfigurationError", Code: CodeConfiguration,
		Message: fmt.Sprintf("%s needs %s, which is not set; %s", of, strings.Join(x.missing, " and "), do)}
}

// found returns the secrets in each form in which they may appear in a text.
func (x *expander) found() (secrets []secret) {
	for _, value := range slices.Sorted(maps.Keys(x.secrets)) {
		for _, s := range encodedForms(value) {
			secrets = append(secrets, secret{x.secrets[value], s})
		}
	}
	sortSecrets(secrets)
	return secrets
}

// ExpandProgram returns the command of a program that is no upstream server, with its variables expanded, and a function
// that masks secrets in a line of its output. kind is what the program is, for messages; work is the base of its
// directory, and provider is as in [Options].
func ExpandProgram(c config.Server, kind, work string, lookup func(name string) (string, bool), provider func(string) string, r *redact.Redactor) (process.Command, func(string) string, error) {
	x := &expander{lookup: lookup, secrets: map[string]string{}}
	out := process.Command{Name: c.Name, Kind: kind, Path: c.Command, Dir: absoluteDir(work, c.Dir), Env: x.expandMap(c.Env), Args: x.expandArgs(c.Args)}
	if err := x.missingError(kind+" "+c.Name, provider); err != nil {
		return out, nil, err
	}
	m := &masker{redactor: r, secrets: x.found(), clean: foreignText}
	return out, m.maskText, nil
}

// sortSecrets sorts the longest first, because one may be part of another.
func sortSecrets(list []secret) {
	slices.SortStableFunc(list, func(a, b secret) int { return len(b.value) - len(a.value) })
}

func commandOf(s upstream.Spec) process.Command {
	return process.Command{Name: s.Name, Path: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir}
}
