package web

import (
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// A question is foreign text: finding its addresses takes time by its bytes.
func TestAddressesAreFoundInTimeByBytes(t *testing.T) {
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": all(config.WebHost{})}))
	for name, text := range map[string]string{
		"brackets that close": "https://docs.example.org/" + strings.Repeat(")", 1<<20),
		"brackets that open":  "https://docs.example.org/" + strings.Repeat("(", 1<<20),
		"square":              "https://docs.example.org/" + strings.Repeat("]", 1<<20),
		"stops":               "https://docs.example.org/" + strings.Repeat(".", 1<<20),
		"many":                strings.Repeat("https://a.example/) ", 1<<16),
	} {
		began := time.Now()
		rules.named(text)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}
