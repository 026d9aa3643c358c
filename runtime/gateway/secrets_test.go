package gateway

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// A variable may be called anything: what it is used as makes it a secret.
func TestVariablesAreMaskedByWhatTheyAreUsedAs(t *testing.T) {
	values := map[string]string{"ACME": "the-key-of-acme", "BLUE": "the-blue-bearer", "FLAG": "the-flag-of-it", "AFTER": "the-one-after", "QUERY": "the-query-key",
		"HOST": "inside.example", "LEVEL": "very-verbose"}
	g := New(Options{Lookup: func(_ config.Server, n string) (string, bool) { v, ok := values[n]; return v, ok }})
	defer g.Close()
	spec, secrets, err := g.expand(config.Server{Env: map[string]string{"API_KEY": "${ACME}", "LOG": "${LEVEL}"}, Headers: map[string]string{"Authorization": "Bearer ${BLUE}"},
		Args: []string{"--api-key=${FLAG}", "--token", "${AFTER}", "--password", "written-here", "--level", "${LEVEL}",
			"--author", "somebody-else", "auth-server", "some-directory", "--token"},
		URL: "https://${HOST}/mcp?region=north-west&api_key=${QUERY}"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range secrets {
		if !strings.Contains(s.value, "-") {
			continue // another spelling
		}
		names = append(names, s.name+"="+s.value)
	}
	slices.Sort(names)
	want := []string{"ACME=the-key-of-acme", "AFTER=the-one-after", "BLUE=the-blue-bearer", "FLAG=the-flag-of-it", "QUERY=the-query-key", "password=written-here"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if spec.URL != "https://inside.example/mcp?region=north-west&api_key=the-query-key" || strings.Join(spec.Args, " ") !=
		"--api-key=the-flag-of-it --token the-one-after --password written-here --level very-verbose --author somebody-else auth-server some-directory --token" {
		t.Errorf("spec = %q, %q", spec.URL, spec.Args)
	}
}

// Words that only begin like those for secrets name none: an author's address
// stays in the results of a program that was told it.
func TestWhichNamesAreOfSecrets(t *testing.T) {
	for _, name := range []string{"API_KEY", "apiKey", "KEY_1", "X-Api-Key", "PROXY_AUTH", "AUTHORIZATION", "authorisation", "OAUTH", "AUTH_VALUE", "authValue",
		"AUTHOR_TOKEN", "AUTHOR_KEY", "KEYWORD_SECRET", "DB_PASSWORD", "PGPASS"} {
		if !isSecret(name, "some-long-value") {
			t.Errorf("%s is not one", name)
		}
	}
	for _, name := range []string{"GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "AUTHOR", "authorName", "AUTHORS", "SEARCH_KEYWORDS", "keyword", "KEYBOARD_LAYOUT", "LEVEL"} {
		if isSecret(name, "some-long-value") {
			t.Errorf("%s is one", name)
		}
	}
}

// A program that ends and says how it was called does not give its key away.
func TestAProgramsLastWordsShowNoKeyOfItsArguments(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /bin/sh")
	}
	g := New(Options{})
	g.Configure(&config.Config{Servers: map[string]config.Server{"a": {Name: "a", Enabled: true, Command: "/bin/sh", Timeout: 20 * time.Second, Start: 20 * time.Second,
		Args: []string{"-c", `echo "usage: $0 $1 $2" >&2; exit 1`, "program", "--token", "written-down-here"}}}, Gateway: config.Gateway{Trust: "first", TTL: time.Hour, Wait: 5 * time.Second}})
	t.Cleanup(func() { _ = g.Close() })
	g.Probe(t.Context(), nil, func(int, int, string) {})
	said := g.Servers()[0].Problem + strings.Join(g.Said("a"), " ")
	if strings.Contains(said, "written-down-here") || !strings.Contains(said, "usage: program --token ***") {
		t.Errorf("it is shown: %s", said)
	}
}
