package ollama

import (
	"fmt"
	"net/url"
	"strings"

	ollamamodel "github.com/ollama/ollama/types/model"
)

// DefaultURL is the address where Ollama listens by default.
const DefaultURL = "http://localhost:11434"

const defaultPort = "11434"

// parseBase parses the address as people write it: with or without http://, a trailing
// slash, /v1 or /api.
func parseBase(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = DefaultURL
	}
	bare := !strings.Contains(text, "://")
	if bare {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%q is not the URL of an Ollama", text)
	}
	if bare && u.Port() == "" {
		u.Host += ":" + defaultPort
	}
	path := strings.TrimRight(u.Path, "/")
	for _, end := range []string{"/v1", "/api"} {
		path = strings.TrimRight(strings.TrimSuffix(path, end), "/")
	}
	return &url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: path}, nil
}

// canonicalName returns the canonical form of a model's name: without the default registry,
// with a tag, on one line.
func canonicalName(name string) string {
	name = oneLine(name)
	if name == "" {
		return ""
	}
	if n := ollamamodel.ParseName(name); n.IsValid() {
		return n.DisplayShortest()
	}
	return name
}

// sameModel reports whether two names mean the same model.
func sameModel(a, b string) bool { return strings.EqualFold(canonicalName(a), canonicalName(b)) }
