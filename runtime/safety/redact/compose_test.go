package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Texts in which detectors meet: secrets side by side, inside each other, cut off, beside placeholders.
func TestComposedTexts(t *testing.T) {
	pieces := []string{
		"[REDACTED:jwt]", "[REDACTED:", "]", "\n", "\n\n", "\r\n", " ", "=", ": ", ":", "\"", "'", "\\\"", "`", ",", ";", "@", "://", "/", "//",
		"password", "token=", "api_key: ", "secret", "Bearer ", "Authorization: ", "curl -u ", "machine h password ", "kind: Secret\n", "data:\n  ",
		"-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----", "https://u:", "\u200b", "\\\n", "é", "\xff", "<k>", "</k>", "--key ",
	}
	for _, tt := range groupTests() {
		pieces = append(pieces, tt.text, tt.secret, tt.secret[:len(tt.secret)/2], tt.secret[len(tt.secret)/2:])
	}
	n := 1500
	if testing.Short() {
		n = 200
	}
	r := Default()
	for i := range n {
		rnd := rand.New(rand.NewPCG(5, uint64(i)))
		var b strings.Builder
		for range 2 + rnd.IntN(7) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		text := b.String()
		out, spans := r.Redact(text)
		checkSpans(t, text, spans)
		if strings.Count(out, "\n") != strings.Count(text, "\n") {
			t.Errorf("lines changed: %q became %q", text, out)
		}
		if again, _ := r.Redact(out); again != out {
			t.Errorf("not idempotent:\nin    %q\nonce  %q\ntwice %q", text, out, again)
		}
		for _, s := range spans {
			if v := text[s.Start:s.End]; s.Rule == withheldID || maySpread(v) && strings.Contains(out, v) {
				t.Errorf("%s: %q is still in %q", s.Rule, v, out)
			}
		}
		if t.Failed() {
			t.Fatalf("text %d", i)
		}
	}
}

// A secret must be found wherever it stands in a text, so at every place relative to the engine's windows.
func TestSecretAtEveryOffset(t *testing.T) {
	pads := []int{1, 159, 160, 161, 511, 512, 513, 8191, 8192, 8193, 40000}
	if testing.Short() {
		pads = pads[:7]
	}
	for _, tt := range groupTests() {
		for _, pad := range pads {
			line := strings.Repeat("lorem ipsum dolor; ", pad/19+1)[:pad] + "\n"
			out, _ := Default().Redact(line + tt.text + "\n" + line)
			if strings.Contains(out, tt.secret) {
				t.Errorf("%s: still there behind %d bytes", tt.name, pad)
			}
		}
	}
}

// A text that is all keywords must end within its budget, with the same outcome each time.
func TestWorstCases(t *testing.T) {
	size := 48 << 10
	switch {
	case longTests:
		size = 1 << 20
	case testing.Short():
		size = 8 << 10
	}
	var many strings.Builder
	for many.Len() < size {
		many.WriteString("password = \"" + drawn(6+many.Len()%17, mixedLetters) + "!\"\n")
	}
	texts := map[string]string{"base64 lines": tokenLines(size), "passwords": many.String()}
	for _, unit := range []string{
		"sk-", "glpat-", "atlassian", "curl -u ", "key=abcdefgh1 ", "secret=", "eyJ.", "://", "a://b:c@", "bearer ", "authorization: ", "machine a ",
		"kind: Secret\ndata:\n  a: bbbbbbbbbbbb\n", "-----BEGIN PRIVATE " + "KEY-----\n", "-----END PRIVATE " + "KEY-----\n", "a\\\n", "a\u200b", "x7Kp2mQ9zz=",
		"[REDACTED:", "[REDACTED:jwt]", "hooks.slack.com/", "private_ai", "value: \"x7Kp2mQ9zzTT\"\n", " ", "\n", "=", "\xff", "a", "aaaa bbbb ", "A1",
	} {
		texts[unit] = strings.Repeat(unit, size/len(unit)+1)
	}
	for name, text := range texts {
		out, spans := Default().Redact(text)
		if strings.Count(out, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q: lines changed", name)
		}
		if again, more := Default().Redact(text); again != out || len(more) != len(spans) {
			t.Errorf("%q: two runs differ", name)
		}
	}
	for _, name := range []string{"base64 lines", "passwords"} {
		if _, spans := Default().Redact(texts[name]); len(spans) == 1 && spans[0].Rule == withheldID {
			t.Errorf("%s were withheld", name)
		}
	}
}
