package process

import (
	"runtime"
	"slices"
	"strings"
)

// Marker is the environment variable that every program gets. Its value names the launcher that started it, so that a
// daemon that left its process group is still found.
const Marker = "COMPACTOR_UPSTREAM"

// passed are the variables that a program gets without declaring them: what programs need to find their files and their
// user, and the language. None of them commonly holds a secret.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE",
	"LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
	"LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
	"XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
	// Behind a corporate proxy npx and uvx can download nothing without its certificates; these name files.
	"NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE",
}

var passedWindows = []string{
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "TEMP", "TMP", "OS", "NUMBER_OF_PROCESSORS",
	"PROCESSOR_ARCHITECTURE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE", "USERPROFILE", "USERNAME",
	"USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "CommonProgramFiles",
}

// proxies are passed for the same reason as the certificates, unless they contain a password.
var proxies = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
}

// Environ returns the environment of a program: the allowlisted variables from getenv, and the declared ones, which
// take precedence. Nothing else is passed. A proxy with a user in its address (http://name:password@host) is a secret
// and must be declared. The result is sorted.
func Environ(declared map[string]string, getenv func(string) string) []string {
	vars := map[string]string{}
	names := slices.Clone(passed)
	if runtime.GOOS == "windows" {
		names = append(names, passedWindows...)
	}
	for _, name := range names {
		if v := getenv(name); v != "" {
			set(vars, name, v)
		}
	}
	for _, name := range proxies {
		if v := getenv(name); v != "" && !strings.Contains(v, "@") {
			set(vars, name, v)
		}
	}
	for name, v := range declared {
		set(vars, name, v)
	}
	env := make([]string, 0, len(vars))
	for name, v := range vars {
		env = append(env, name+"="+v)
	}
	slices.Sort(env)
	return env
}

// set sets a variable; on Windows names ignore case.
func set(vars map[string]string, name, value string) {
	for other := range vars {
		if sameName(other, name) {
			delete(vars, other)
		}
	}
	vars[name] = value
}

func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// lookup returns the value of a variable, or "" if it is not set.
func lookup(env []string, name string) string {
	for _, kv := range env {
		if n, v, ok := strings.Cut(kv, "="); ok && sameName(n, name) {
			return v
		}
	}
	return ""
}

// withVariable returns env with one variable set.
func withVariable(env []string, name, value string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		n, _, _ := strings.Cut(kv, "=")
		return sameName(n, name)
	})
	return append(env, name+"="+value)
}
