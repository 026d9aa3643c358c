package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"compactor/runtime/config"
	"compactor/runtime/contract"
	"compactor/runtime/gateway/process"
	"compactor/runtime/gateway/upstream"
	"compactor/runtime/lazyregexp"
)

// variable is ${NAME} or ${NAME:-standard}.
var variable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// secret is the value of a variable, which must not come back in a result.
type secret struct{ name, value string }

// secretName is what variables are called that hold secrets.
var secretName = lazyregexp.New(`(?i)key|token|secret|pass|auth|cred|pwd|pat$`)

// isSecret tells keys from paths and addresses, which results may well name.
// Short values are too common in texts to be masked wherever they stand.
func isSecret(name, value string) bool {
	return len(value) >= 8 && secretName.MatchString(name) && !strings.HasPrefix(value, "/") && !strings.Contains(value, "://")
}

// expander replaces variables and remembers what it put in and what it missed.
type expander struct {
	lookup  func(string) (string, bool)
	secrets map[string]string
	missing []string
}

func (x *expander) text(s string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	return variable.ReplaceAllStringFunc(s, func(m string) string {
		parts := variable.FindStringSubmatch(m)
		value, ok := x.lookup(parts[1])
		switch {
		case ok:
			x.secrets[parts[1]] = value
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

func (x *expander) values(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out[k] = x.text(m[k])
	}
	return out
}

// expand makes what upstream needs of a server's configuration. A variable
// that is not set is an error: a server without its key fails in stranger ways.
func (g *Gateway) expand(c config.Server) (upstream.Spec, []secret, error) {
	x := &expander{lookup: g.opt.Lookup, secrets: map[string]string{}}
	spec := upstream.Spec{
		Name: c.Name, Kind: c.Kind, Command: c.Command, Dir: g.absolute(c.Dir), Env: x.values(c.Env), URL: x.text(c.URL), Headers: x.values(c.Headers),
		Era: c.Era, Allow: c.Allow, StartTime: c.Start, CallTime: c.Timeout, Idle: c.Idle, Connections: c.Connections, MaxMessage: c.MaxMessage,
	}
	for _, a := range c.Args {
		spec.Args = append(spec.Args, x.text(a))
	}
	if len(x.missing) > 0 {
		return spec, nil, &contract.Error{Name: "ConfigurationError", Code: CodeConfiguration, Message: fmt.Sprintf(
			"server %s needs %s, which is not set; set it in the environment of compactor or in secrets.env beside the configuration",
			c.Name, strings.Join(x.missing, " and "))}
	}
	for _, written := range []map[string]string{c.Env, c.Headers} { // keys that stand in the configuration itself
		for name, v := range written {
			if _, bare, ok := strings.Cut(v, " "); ok { // Bearer KEY
				v = bare
			}
			if !strings.Contains(v, "${") {
				x.secrets[name] = v
			}
		}
	}
	var secrets []secret // the longest first: one may be part of another
	for _, name := range slices.Sorted(maps.Keys(x.secrets)) {
		if v := x.secrets[name]; isSecret(name, v) {
			secrets = append(secrets, secret{name, v})
		}
	}
	slices.SortStableFunc(secrets, func(a, b secret) int { return len(b.value) - len(a.value) })
	return spec, secrets, nil
}

func commandOf(s upstream.Spec) process.Command {
	return process.Command{Name: s.Name, Path: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir}
}
