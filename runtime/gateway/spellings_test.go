package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A server says its secret in a text of JSON, in an address, in HTML, for a shell or in base64. The texts are what Python,
// JavaScript, PHP and Go write.
func TestSecretsAreMaskedInEachSpelling(t *testing.T) {
	const secret = `p"a\s/s<w>&o'r+d ü!(😀)`
	g := New(Options{Lookup: func(config.Server, string) (string, bool) { return secret, true }})
	defer g.Close()
	_, secrets, err := g.expand(config.Server{Env: map[string]string{"A": "${PASSWORD}"}})
	if err != nil {
		t.Fatal(err)
	}
	m := &masker{secrets: secrets}
	for writer, said := range map[string]string{
		"as it is":                    secret,
		"JSON.stringify":              `{"x":"p\"a\\s/s<w>&o'r+d ü!(😀)"}`,
		"json.Marshal":                `{"x":"p\"a\\s/s\u003cw\u003e\u0026o'r+d ü!(😀)"}`,
		"json.dumps":                  `{"x": "p\"a\\s/s<w>&o'r+d \u00fc!(\ud83d\ude00)"}`,
		"json_encode":                 `{"x":"p\"a\\s\/s<w>&o'r+d ü!(😀)"}`,
		"JSON.stringify, twice":       `"{\"x\":\"p\\\"a\\\\s/s<w>&o'r+d ü!(😀)\"}"`,
		"encodeURIComponent":          `?x=p%22a%5Cs%2Fs%3Cw%3E%26o'r%2Bd%20%C3%BC!(%F0%9F%98%80)&y=1`,
		"URLSearchParams":             `?x=p%22a%5Cs%2Fs%3Cw%3E%26o%27r%2Bd+%C3%BC%21%28%F0%9F%98%80%29&y=1`,
		"urllib.parse.quote, safe=''": `/x/p%22a%5Cs%2Fs%3Cw%3E%26o%27r%2Bd%20%C3%BC%21%28%F0%9F%98%80%29`,
		"in small letters":            `?x=p%22a%5cs%2fs%3cw%3e%26o%27r%2bd+%c3%bc%21%28%f0%9f%98%80%29`,
		"html.EscapeString":           `<b>p&#34;a\s/s&lt;w&gt;&amp;o&#39;r+d ü!(😀)</b>`,
		"htmlspecialchars":            `<b>p&quot;a\s/s&lt;w&gt;&amp;o&#39;r+d ü!(😀)</b>`,
		"html.escape":                 `<b>p&quot;a\s/s&lt;w&gt;&amp;o&#x27;r+d ü!(😀)</b>`,
		"a shell":                     `x 'p"a\s/s<w>&o'\''r+d ü!(😀)'`,
		"btoa":                        `cCJhXHMvczx3PiZvJ3IrZCDDvCEo8J+YgCk=`,
		"Basic me:":                   `bWU6cCJhXHMvczx3PiZvJ3IrZCDDvCEo8J+YgCk=`,
		"Basic x:":                    `eDpwImFccy9zPHc+Jm8ncitkIMO8ISjwn5iAKQ==`,
		"base64url, with more behind": `cCJhXHMvczx3PiZvJ3IrZCDDvCEo8J-YgClub3Jl`,
	} {
		got, err := m.result(t.Context(), json.RawMessage(`{"content":[{"type":"text","text":`+string(rawjson.Quote(said))+`}]}`))
		if err != nil || !strings.Contains(string(got), "[REDACTED:PASSWORD]") {
			t.Errorf("%s: %s became %s, %v", writer, said, got, err)
		}
	}
}

// The password of an address is a secret by itself, however the address came to be.
func TestPasswordsOfAddressesAreMasked(t *testing.T) {
	g := New(Options{Lookup: func(_ config.Server, name string) (string, bool) {
		return map[string]string{"DSN": "postgres://me:hush%2Fhush1@db.example/x", "PW": "hush-hush2", "NAME": "worker"}[name], true
	}})
	defer g.Close()
	_, secrets, err := g.expand(config.Server{Env: map[string]string{"A": "${DSN}", "B": "redis://:${PW}@cache.example", "C": "me:hush@hush3@tcp(db:3306)/x", "D": "image:1.2.3-alpine@sha256:0", "E": "postgres://postgres:postgres@db/x", "F": "amqp://me:changeme@q/"},
		Args: []string{"--db", "mysql://me:hush%hush4@db/x", "https://me:hush-hush5@${NAME}.example/"}, URL: "https://me:hush-hush6@host.example/mcp?x=1",
		Headers: map[string]string{"X": "ftp://me:hush-hush7@host.example"}})
	if err != nil {
		t.Fatal(err)
	}
	m := &masker{secrets: secrets}
	for _, password := range []string{"hush/hush1", "hush-hush2", "hush@hush3", "hush%hush4", "hush-hush5", "hush-hush6", "hush-hush7"} {
		if got := m.maskText("the password is " + password + "."); strings.Contains(got, "hush") || !strings.Contains(got, "[REDACTED:") {
			t.Errorf("%s: %s", password, got)
		}
	}
	for _, word := range []string{"1.2.3-alpine", "postgres_query", "changeme"} {
		if got := m.maskText(word); got != word {
			t.Errorf("%s: %s", word, got)
		}
	}
}

// What is short says too little to be masked in base64, where other text has it by chance.
func TestShortSpellings(t *testing.T) {
	for _, value := range []string{"", "a", "abcd"} {
		if got := encodedForms(value); len(got) != 1 || got[0] != value {
			t.Errorf("%q: %q", value, got)
		}
	}
}
