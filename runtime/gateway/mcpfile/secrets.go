package mcpfile

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// vault moves secrets out of servers into variables.
type vault struct {
	opt      Options
	secrets  map[string]string
	reserved map[string]bool // variables that the servers take from the environment
}

func newVault(servers []Server, opt Options) *vault {
	v := &vault{opt: opt, secrets: map[string]string{}, reserved: map[string]bool{}}
	if opt.Secret == nil {
		v.opt.Secret = func(string, string) bool { return false }
	}
	for _, s := range servers {
		texts := slices.Concat(s.Args, slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.Headers)), []string{s.URL})
		for _, name := range references(strings.Join(texts, " ")) {
			if _, own := s.Env[name]; !own || len(references(s.Env[name])) > 0 {
				v.reserved[name] = true
			}
		}
		for _, a := range s.Asks {
			if _, set := opt.Taken[a.Variable]; !set {
				v.secrets[a.Variable] = ""
			}
		}
	}
	return v
}

// hide returns the server with its secrets replaced by variables.
func (v *vault) hide(s Server) Server {
	env := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		env[k] = v.hideValue(s.Name, k, s.Env[k], false)
	}
	headers := map[string]string{}
	for _, k := range slices.Sorted(maps.Keys(s.Headers)) {
		headers[k] = v.hideValue(s.Name, k, s.Headers[k], true)
	}
	own := s.Env
	s.Env, s.Headers = env, headers
	s.URL = v.hideURL(s.Name, s.URL)
	args := slices.Clone(s.Args)
	for i := range args {
		previous := ""
		if i > 0 {
			previous = s.Args[i-1]
		}
		args[i] = ownVariables(v.hideArgument(s.Name, previous, args[i]), own, env)
	}
	s.Args = args
	return s
}

// ownVariables inserts values of the server's own environment where an argument refers to it: some programs pass ${VAR}
// on for the server to expand, and compactor would look for it elsewhere.
func ownVariables(arg string, own, written map[string]string) string {
	return variable.ReplaceAllStringFunc(arg, func(text string) string {
		name := text[2 : len(text)-1]
		if value, ok := own[name]; ok && len(references(value)) == 0 {
			return written[name]
		}
		return text
	})
}

var scheme = lazyregexp.New(`(?i)^(bearer|basic|token|apikey) +`)

// hideValue hides the value of a key. A value that already refers to variables is left alone.
func (v *vault) hideValue(server, key, value string, specific bool) string {
	if value == "" || len(references(value)) > 0 {
		return value
	}
	head := scheme.FindString(value)
	rest := value[len(head):]
	if !v.opt.Secret(key, value) && (head == "" || !v.opt.Secret(key, rest)) {
		if strings.Contains(value, "://") {
			return v.hideURL(server, value)
		}
		return value
	}
	return head + v.keepSecret(server, key, rest, specific)
}

// PathKey is the key passed to Options.Secret for a part of a URL's path.
const PathKey = "url"

// generic matches names that mean nothing without the server's name.
var generic = lazyregexp.New(`(?i)^(api|auth|access|bearer|secret|private)?_?(key|token|secret|password|auth|authorization|header)$`)

// keepSecret stores a secret and returns its variable. A specific name begins with the server's name: Authorization alone
// would be ambiguous.
func (v *vault) keepSecret(server, key, value string, specific bool) string {
	long := variableName(server, key)
	candidates := []string{variableName(key), long}
	if specific || generic.MatchString(key) || !envName.MatchString(key) {
		candidates = []string{long}
	} else if variableName(key) != key {
		candidates[0] = key // as written, even in lower case
	}
	for n := 2; ; n++ {
		for _, name := range candidates {
			if v.isFree(name, value) {
				v.secrets[name] = value
				return "${" + name + "}"
			}
		}
		candidates = []string{fmt.Sprintf("%s_%d", long, n)}
	}
}

func (v *vault) isFree(name, value string) bool {
	for _, known := range []map[string]string{v.secrets, v.opt.Taken} {
		if old, ok := known[name]; ok && old != value {
			return false
		}
	}
	return !v.reserved[name]
}

var (
	assignment = lazyregexp.New(`^(-{0,2})([A-Za-z_][A-Za-z0-9_.-]*)=(.+)$`)
	headerLine = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*)(: *)([^/ ].*)$`)
)

// hideArgument hides the secret in KEY=value, --key=value, --key value, Name: value, a URL, or the whole argument.
func (v *vault) hideArgument(server, previous, arg string) string {
	if len(references(arg)) > 0 {
		return arg
	}
	if m := assignment.FindStringSubmatch(arg); m != nil {
		return m[1] + m[2] + "=" + v.hideValue(server, m[2], m[3], m[1] != "")
	}
	if strings.Contains(arg, "://") {
		return v.hideURL(server, arg)
	}
	if m := headerLine.FindStringSubmatch(arg); m != nil {
		return m[1] + m[2] + v.hideValue(server, m[1], m[3], true)
	}
	key := ""
	if strings.HasPrefix(previous, "-") && !strings.Contains(previous, "=") {
		key = strings.TrimLeft(previous, "-")
	}
	if strings.HasPrefix(arg, "-") || !v.opt.Secret(key, arg) {
		return arg
	}
	if key == "" {
		key = "secret"
	}
	return v.keepSecret(server, key, arg, true)
}

// hideURL hides the password, the parameters and the path segments that are secrets. They keep their encoding in the URL.
func (v *vault) hideURL(server, text string) string {
	u, err := url.Parse(text)
	head, tail, ok := strings.Cut(text, "://")
	if err != nil || !ok || len(references(text)) > 0 {
		return text
	}
	rest, fragment, hasFragment := strings.Cut(tail, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	segments := strings.Split(rest, "/")
	if _, ok := u.User.Password(); ok {
		at := strings.LastIndexByte(segments[0], '@')
		name, password, _ := strings.Cut(segments[0][:at], ":")
		if v.opt.Secret("password", password) {
			segments[0] = name + ":" + v.keepSecret(server, "password", password, true) + segments[0][at:]
		}
	}
	for i, s := range segments[1:] {
		if s != "" && v.opt.Secret(PathKey, s) {
			segments[i+1] = v.keepSecret(server, "url", s, true)
		}
	}
	out := head + "://" + strings.Join(segments, "/")
	if hasQuery {
		out += "?" + v.hideQuery(server, query)
	}
	if hasFragment {
		out += "#" + fragment
	}
	return out
}

func (v *vault) hideQuery(server, query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		if ok && err == nil && value != "" && v.opt.Secret(key, plain) {
			pairs[i] = key + "=" + v.keepSecret(server, key, value, true)
		}
	}
	return strings.Join(pairs, "&")
}
