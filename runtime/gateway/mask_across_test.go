package gateway

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

func itemsOf(texts ...string) json.RawMessage {
	var items []string
	for _, t := range texts {
		items = append(items, `{"type":"text","text":`+string(rawjson.Quote(t))+`}`)
	}
	return json.RawMessage(`{"content":[` + strings.Join(items, ",") + `]}`)
}

// inPieces cuts a text into so many.
func inPieces(text string, n int) (out []string) {
	for i := range n {
		out = append(out, text[len(text)*i/n:len(text)*(i+1)/n])
	}
	return out
}

func privateKey(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

// What is a secret only where texts are read one behind the other leaves in none of
// them.
func TestSecretsThatWereCutBetweenTexts(t *testing.T) {
	m := &masker{redactor: redact.Default(), secrets: []secret{{"LAKE_TOKEN", "correct-horse-battery"}}}
	key := privateKey(t)
	var lines []string
	for line := range strings.Lines(key) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	jwt := "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	for name, texts := range map[string][]string{
		"a key in three":        inPieces("the key:\n"+key+"that was it", 3),
		"a key in twenty":       inPieces(key, 20),
		"a key line by line":    lines,
		"a token":               inPieces("ghp_16C7e42F292c6912E7710c838347Ae178B4a", 2),
		"a token in three":      inPieces("xoxb-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1", 3),
		"a token among words":   {"the token is AKIAQ3EGR", "VZ7N4XKDWPT and more"},
		"a JWT":                 inPieces(jwt, 2),
		"a password in a URL":   {"postgres://admin:Zx9q", "Lm2Wv8Kp@db.internal/prod"},
		"a value of a variable": {"it is correct-horse", "-battery, she said"},
		"a password":            {"password=Tr0ub", "4dor&3xyzQ"},
		"behind a long text":    {strings.Repeat("a row of log\n", 4000) + "ghp_16C7e42F292c69", "12E7710c838347Ae178B4a" + strings.Repeat("\na row of log", 4000)},
		"a key in long texts":   {strings.Repeat("a row of log\n", 4000) + key[:900], key[900:] + strings.Repeat("\na row of log", 4000)},
	} {
		for shape, raw := range map[string]json.RawMessage{
			"texts":     itemsOf(texts...),
			"resources": json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(string(itemsOf(texts...)), `{"type":"text","text"`, `{"type":"resource","resource":{"uri":"x://y","text"`), `"}`, `"}}`)),
			"contents":  json.RawMessage(strings.Replace(string(itemsOf(texts...)), `"content"`, `"contents"`, 1)),
			"messages":  json.RawMessage(strings.ReplaceAll(strings.ReplaceAll(strings.Replace(string(itemsOf(texts...)), `"content"`, `"messages"`, 1), `{"type"`, `{"role":"user","content":{"type"`), `"}`, `"}}`)),
		} {
			out, err := m.result(t.Context(), raw)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				for _, word := range strings.Fields(text) {
					if len(word) >= 7 && !strings.Contains(word, "----") && word != "postgres://admin:Zx9q" && word != "password=Tr0ub" && strings.Contains(string(out), word) {
						t.Errorf("%s as %s: of text %d: %q in %s", name, shape, i, word, out)
					}
				}
			}
			if strings.Contains(string(out), "Zx9q") || strings.Contains(string(out), "Tr0ub") {
				t.Errorf("%s as %s: %s", name, shape, out)
			}
			if !json.Valid(out) || !strings.Contains(string(out), "[REDACTED:") {
				t.Errorf("%s as %s: %s", name, shape, out)
			}
			if again, _ := m.result(t.Context(), out); string(again) != string(out) {
				t.Errorf("%s as %s: once more %s became %s", name, shape, out, again)
			}
		}
	}
}

// Texts that hold no secret are left alone, however they end and begin.
func TestTextsWithoutSecretsStayApart(t *testing.T) {
	m := &masker{redactor: redact.Default()}
	public, _, _ := ed25519.GenerateKey(rand.Reader)
	var ids, hashes, paths, words []string
	for i := range 60 {
		ids = append(ids, fmt.Sprintf("item_%x%04x", public[i%16:i%16+6], i))
		hashes = append(hashes, fmt.Sprintf("%x", public[:20]), fmt.Sprintf("6f1c7e0a-3b52-4c8d-9e21-%012x", i))
		paths = append(paths, fmt.Sprintf("runtime/gateway/file_%d.go:%d", i, i*7), "https://example.org/a/b?page="+fmt.Sprint(i))
		words = append(words, "The token is renewed each hour", "by a job that runs at noon.")
	}
	long := []string{strings.Repeat("0123456789abcdef", 4000), strings.Repeat(`{"sha":"`+hashes[0]+`"}`, 900), strings.Join(paths, "\n"), strings.Join(words, " ")}
	for name, texts := range map[string][]string{"long": long, "ids": ids, "hashes": hashes, "paths": paths, "words": words} {
		raw := itemsOf(texts...)
		if out, _ := m.result(t.Context(), raw); string(out) != string(raw) {
			t.Errorf("%s: %s", name, out)
		}
	}
}
