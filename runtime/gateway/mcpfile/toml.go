package mcpfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// tomlServers is the table that holds Codex's servers.
const tomlServers = "mcp_servers"

// Limits of a TOML file, whose keys can be nested without end.
const (
	maxTOML  = 1 << 20
	maxDepth = 100
)

var tomlLine = lazyregexp.New(`^(\[\[?\s*[A-Za-z_"'][^{},:]*|[A-Za-z0-9_."' -]+=.*)$`)

// looksLikeTOML checks the first significant line: a header or a key.
func looksLikeTOML(data []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return tomlLine.Match(line)
	}
	return false
}

// jsonOfTOML returns the table of servers as JSON.
func jsonOfTOML(data []byte) ([]byte, error) {
	if len(data) > maxTOML {
		return nil, errors.New("the file is larger than 1 MiB")
	}
	var doc map[string]any
	err := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &doc)
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, column := bad.Position()
		return nil, fmt.Errorf("%d:%d: not TOML: %s", row, column, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	if err != nil {
		return nil, err
	}
	if doc[tomlServers] == nil {
		return nil, errNoServers
	}
	if nestsDeeper(doc[tomlServers], maxDepth) {
		return nil, fmt.Errorf("%q is nested too deep", tomlServers)
	}
	return json.Marshal(map[string]any{tomlServers: doc[tomlServers]})
}

func nestsDeeper(v any, than int) bool {
	if than == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if nestsDeeper(inner, than-1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return nestsDeeper(inner, than-1) })
	}
	return false
}

// codex reads the members that name variables instead of containing values.
func (r *entryReader) codex(key string, v []byte) {
	switch key {
	case "tool_timeout_sec":
		text, _ := scalarText(v)
		d, err := time.ParseDuration(text + "s")
		if err != nil || d <= 0 || d > 24*time.Hour {
			r.note("%s %s is left out", key, text)
			return
		}
		r.s.Timeout = d.Round(time.Millisecond)
	case "bearer_token_env_var":
		if name := r.variableNamed(key, r.text(key, v)); name != "" {
			r.header(map[string]string{"Authorization": "Bearer " + name})
		}
	case "env_http_headers":
		for header, name := range r.texts(key, v, headerName) {
			if name = r.variableNamed(key, name); name != "" {
				r.header(map[string]string{header: name})
			}
		}
	case "env_vars":
		for _, name := range r.list(key, v) {
			if value := r.variableNamed(key, name); value != "" {
				r.environ(map[string]string{name: value})
			}
		}
	}
}

// variableNamed returns the reference to a variable for use as a value.
func (r *entryReader) variableNamed(key, name string) string {
	if !envName.MatchString(name) {
		if name != "" {
			r.note("%s names %q, which no variable is called", key, name)
		}
		return ""
	}
	return "${" + name + "}"
}

func (r *entryReader) header(more map[string]string) {
	if len(more) > 0 && r.s.Headers == nil {
		r.s.Headers = map[string]string{}
	}
	maps.Copy(r.s.Headers, more)
}

func (r *entryReader) environ(more map[string]string) {
	if len(more) > 0 && r.s.Env == nil {
		r.s.Env = map[string]string{}
	}
	maps.Copy(r.s.Env, more)
}
