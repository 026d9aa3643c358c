package web

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A question is foreign text: finding its addresses takes time by its bytes.
func TestAddressesAreFoundInTimeByBytes(t *testing.T) {
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": all(config.WebHost{})}))
	for name, text := range map[string]struct{ begin, repeated string }{
		"brackets that close": {"https://docs.example.org/", ")"},
		"brackets that open":  {"https://docs.example.org/", "("},
		"square":              {"https://docs.example.org/", "]"},
		"stops":               {"https://docs.example.org/", "."},
		"many":                {"", "https://a.example/) "},
	} {
		t.Run(name, func(t *testing.T) {
			clocktest.Linear(t, 1<<14, func(size int) func() {
				s := text.begin + strings.Repeat(text.repeated, size/len(text.repeated))
				return func() { rules.findAddresses(s) }
			})
		})
	}
}

// What is found in a text is read by the rules only.
func FuzzNamed(f *testing.F) {
	for _, s := range []string{
		"see https://docs.example.org/a.", "(https://docs.example.org/a_(b))", "docs.example.org/x", "https://docs.example.org@evil.example/", "https://docs.example.org\\@evil.example/",
		"https://docs.example.org.:443/", "https://[fe80::1%25eth0]/", "http://0x7f.1/", "https://2130706433/", "https://docs.example.org:0443/", "https://DOCS.EXAMPLE.ORG%2eevil.example/",
		"file:///etc/passwd https://", "https://docs\u3002example.org/", "data:text/html,https://docs.example.org/",
	} {
		f.Add(s)
	}
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": {Paths: []string{"/docs/**"}}}))
	f.Fuzz(func(t *testing.T, text string) {
		list := rules.findAddresses(text)
		if len(list) > maxNamed {
			t.Fatal(len(list))
		}
		for _, at := range list {
			u, err := parseAddress(at)
			if err != nil || rules.checkAddress(u) != nil {
				continue
			}
			if s := u.String(); !strings.HasPrefix(s, "https://docs.example.org/docs") || u.User != nil || u.Hostname() != "docs.example.org" || u.Port() != "" {
				t.Errorf("%q leads to %q", text, s)
			}
		}
	})
}
