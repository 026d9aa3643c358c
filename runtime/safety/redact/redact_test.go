package redact

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRedactLeavesCleanTextAlone(t *testing.T) {
	for _, text := range []string{"", "\n", "func main() {}\n", "a\xffb"} {
		out, spans := Default().Redact(text)
		if out != text || spans != nil {
			t.Errorf("Redact(%q) = %q, %v", text, out, spans)
		}
	}
}

func TestRedactReportsInputOffsets(t *testing.T) {
	first, second := "gh"+"p_"+drawn(36, mixedLetters), "Tr0ub4dor"+"&3"
	text := "a: " + first + "\nä: password=\"" + second + "\"\n"
	out, spans := Default().Redact(text)
	want := []Span{
		{"github-pat", 3, 3 + len(first)},
		{"password", strings.Index(text, second), strings.Index(text, second) + len(second)},
	}
	if diff := cmp.Diff(want, spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if want := "a: [REDACTED:github-pat]\nä: password=\"[REDACTED:password]\"\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// A value is often repeated where nothing around it tells what it is.
func TestFoundValueIsRemovedEverywhere(t *testing.T) {
	secret := "Tr0ub/4dor" + `&"3`
	escaped := strings.ReplaceAll(secret, `"`, `\"`)
	text := "login with " + secret + " please\npassword: '" + secret + "'\n" +
		"again " + escaped + " " + url.QueryEscape(secret) + " " + url.PathEscape(secret) + " " + base64.StdEncoding.EncodeToString([]byte(secret)) + "\n"
	out, spans := Default().Redact(text)
	for _, form := range []string{secret, escaped, url.QueryEscape(secret), url.PathEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
		if strings.Contains(out, form) {
			t.Errorf("%q is left in %q", form, out)
		}
	}
	if len(spans) != 6 {
		t.Errorf("%d spans, want 6: %q", len(spans), out)
	}
}

// A word that serves as a password somewhere must not take itself out of names and paths.
func TestWordPasswordStaysInNames(t *testing.T) {
	out, _ := Default().Redact("see db/postgres/open.go:12\nurl = postgres://postgres:" + "postgres@localhost/x\n")
	want := "see db/postgres/open.go:12\nurl = postgres://postgres:[REDACTED:url-credentials]@localhost/x\n"
	if out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestLinesStayInPlace(t *testing.T) {
	key := "-----BEGIN PRIVATE " + "KEY-----\n" + strings.Repeat(drawn(64, mixedLetters)+"\n", 5) + "-----END PRIVATE " + "KEY-----\n"
	out, _ := Default().Redact("first\n" + key + "last\n")
	lines := strings.Split(out, "\n")
	if lines[1] != "[REDACTED:private-key]" || lines[8] != "last" {
		t.Errorf("got %q", lines)
	}
}

// References and addresses survive even beside words that make a guess likely.
func TestExemptions(t *testing.T) {
	hex := func(n int) string { return drawn(n, hexLetters) }
	uuid := hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12)
	for name, text := range map[string]string{
		"path with line":        "auth token: see internal/auth/token_store.go:118:24 and x_v2.py:7",
		"stack trace":           "panic: bad token\n\t/usr/lib/go/src/net/http/server.go:2136 +0x1a9\n",
		"import path":           `import token "example.com/acme/auth/v2/internal/tokenstore"`,
		"module sum":            "example.com/auth v0.20.0 h1:" + drawn(43, mixedLetters) + "=",
		"lock file":             "  token-lib@1.2.3:\n    resolution: {integrity: sha512-" + drawn(86, mixedLetters) + "==}",
		"commit":                "uses: actions/token-setup@" + hex(40) + " # v6",
		"digest":                "token image@sha256:" + hex(64),
		"checksum":              `"checksum": "` + hex(64) + `"`,
		"bare digest":           "\t\t\"" + hex(40) + "\",\n",
		"digest under a name":   "token: sha256:" + hex(64) + "\nsecret = \"sha256:" + hex(64) + "\"\n- cookie: blake3:" + hex(64) + "\nsession_token=md5:" + hex(32),
		"integrity near a name": `"cookie": ["cookie@1.0.2", "", {}, "sha512-` + drawn(86, mixedLetters) + `=="], "js-tokens", "token": "sha1-` + drawn(27, mixedLetters) + `="`,
		"policy":                "cookie sha384-" + drawn(64, mixedLetters) + "; token 'sha256-" + drawn(43, mixedLetters) + "='",
		"sum near a name":       "example.com/securecookie v1.1.1/go.mod h1:" + drawn(43, mixedLetters) + "=\ntoken: h1:" + drawn(43, mixedLetters) + "=",
		"commit near a name":    "fix cookie handling (" + hex(40) + ")\nsecret commit " + hex(40) + "\ntoken: revert " + hex(12),
		"uuid":                  "token id " + uuid + "\nID: \"urn:uuid:" + uuid + "\"",
		"id under a key name":   `"kms_key_id": "` + uuid + `"`,
		"plain url":             "token docs: https://example.com/en/token/" + uuid + "/" + drawn(22, mixedLetters) + "?list=PL" + drawn(32, mixedLetters) + "#x",
		"asset":                 `<script src="/assets/index-` + drawn(10, mixedLetters) + `.js">`,
		"long identifiers":      "token = rewriteValueAMD64_OpAMD64VPMAXUDMasked256; TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
		"call":                  "token := newTokenSource2(ctx, cfg.Token1)\npassword = getPassword1()",
		"field":                 "password: string; token: req.body.token2, apiKey: process.env.API_KEY1",
		"template":              "password: ${DB_PASSWORD1}\ntoken: {{ .Values.token1 }}\nkey: $(cat key1)\nAPI_KEY=<your-key-1>",
		"filler":                "token=xxxxxxxxxxxxxxxxxxxxxxxx password=********* api_key=\"0000000000000000\"",
		"message":               `password: "must have 8 characters", "token": "invalid or expired token (code 12)"`,
		"message on two lines":  "password: \"must have at least\n  8 characters and one of A1\"\nhelp: 'the token''s name'\npassword: 'don''t use words'\n",
		"block of text":         "password: |\n  Must have 8 characters,\n  one of them a digit.\nsecrets: |\n  TOKEN=${{ secrets.TOKEN1 }}\n  \"id=${{ secrets.ID1 }}\"\n",
		"block of no secret":    "description: |\n  The lamp's on-Correct-horse-55 is a joke.\ntitle: 'it''s a plain title'\nsha: |-\n  " + hex(32) + "\n",
		"block that has ended":  "token: |\nsha: \n  " + hex(32) + "\ntokens: >\n\n",
		"url without password":  "mongodb://localhost:27017/db https://user@host/ http://h:80/@x",
		"public key block":      "-----BEGIN PUBLIC KEY-----\n" + strings.Repeat(drawn(64, mixedLetters)+"\n", 3) + "-----END PUBLIC KEY-----\n",
		"key header alone":      `if strings.HasPrefix(s, "-----BEGIN RSA PRIVATE ` + `KEY-----") { return }`,
		"data url":              "src=\"data:image/png;base64," + drawn(200, mixedLetters) + "\"",
		"base64 lines":          strings.Repeat("\""+drawn(76, mixedLetters)+"\" +\n", 4),
		"encoded text":          `text = "` + base64.StdEncoding.EncodeToString([]byte("a plain sentence that somebody put in base64")) + `"`,
		"bearer in prose":       "send a bearer token; basic authentication is off; Authorization: Bearer <token>",
		"sequences":             `key = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"`,
	} {
		t.Run(name, func(t *testing.T) {
			if out, spans := Default().Redact(text); out != text {
				t.Errorf("%v: got %q", spans, out)
			}
		})
	}
}

// A comment in the text must not switch detection off, nor must the kind of file.
func TestTextCannotSwitchOff(t *testing.T) {
	secret := "gh" + "p_" + drawn(36, mixedLetters)
	for _, path := range []string{"", "node_modules/a/b.js", "go.sum", "vendor/github.com/x/y.go", "gitleaks.toml"} {
		out, _ := Default().RedactFile(path, "t = "+secret+" // gitleaks:"+"allow\n")
		if strings.Contains(out, secret) {
			t.Errorf("path %q: %q", path, out)
		}
	}
}

// A text may claim to be redacted; only what this redactor writes is taken at its word.
func TestForgedPlaceholder(t *testing.T) {
	secret := "gh" + "p_" + drawn(36, mixedLetters)
	out, _ := Default().Redact("[REDACTED:" + secret + "] [REDACTED:jwt]")
	if strings.Contains(out, secret) || !strings.HasSuffix(out, " [REDACTED:jwt]") {
		t.Errorf("got %q", out)
	}
}

func TestPathRules(t *testing.T) {
	text := `password = "rootpasswd"` + "\n"
	for path, want := range map[string]bool{"": false, "main.go": false, "infra/db.tf": true} {
		if _, spans := Default().RedactFile(path, text); (len(spans) > 0) != want {
			t.Errorf("path %q: %v", path, spans)
		}
	}
}

func TestWithheld(t *testing.T) {
	text := "first\n" + strings.Repeat("hooks.slack.com/ ", 1<<16) + "\nlast"
	w := newWatch(len(text))
	w.left = 1000
	s := scan{r: Default(), text: text, watch: w}
	s.run()
	if !w.isOver() {
		t.Fatal("the budget was not used up")
	}
	out, spans := replaceSpans(text, withholdText(text)), exportSpans(withholdText(text))
	if diff := cmp.Diff([]Span{{withheldID, 0, len(text)}}, spans); diff != "" {
		t.Error(diff)
	}
	if strings.Count(out, "\n") != 2 || strings.Contains(out, "curl") || !strings.HasPrefix(out, "[REDACTED:withheld]") {
		t.Errorf("got %.80q", out)
	}
	if again, spans := Default().Redact(out); again != out || spans != nil {
		t.Errorf("the notice is not stable: %q", again)
	}
}

func TestConcurrentUse(t *testing.T) {
	r, errs := Compile([]Rule{{ID: "acme", Regex: `ACME-\d{4}`}})
	if errs != nil {
		t.Fatal(errs)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, tt := range groupTests() {
				text := fmt.Sprintf("ACME-%04d\n", i) + tt.text
				if out, _ := r.Redact(text); strings.Contains(out, tt.secret) || strings.Contains(out, "ACME-0") {
					t.Errorf("%s: %q", tt.name, out)
				}
			}
		})
	}
	wg.Wait()
}
