package redact

import (
	"encoding/base64"
	"strings"
	"testing"
)

// A secret in base64 is one, wherever in a group of three bytes it begins.
func TestEncodedSecrets(t *testing.T) {
	for _, secret := range []string{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "password=Tr0ub4dor&3xyzQ", "postgres://admin:Zx9qLm2Wv8Kp@db.internal/prod"} {
		for _, before := range []string{"", "a ", "ab "} {
			for _, form := range []string{"%", "blob %", "key: % # note", "data:text/plain;base64,%", `{"payload":"%"}`, "%\nnext line"} {
				for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
					text := strings.Replace(form, "%", enc.EncodeToString([]byte(before+secret+" end of it")), 1)
					got, _ := Default().Redact(text)
					if strings.Contains(got, enc.EncodeToString([]byte(before + secret))[:12]) {
						t.Errorf("%q stays in %s", before+secret, got)
					}
					if again, _ := Default().Redact(got); again != got {
						t.Errorf("%s becomes %s", got, again)
					}
				}
			}
		}
	}
}

// What is encoded and no secret stays: pictures, certificates, texts.
func TestEncodedTextStays(t *testing.T) {
	for _, text := range []string{
		"the token of the password page, without one",
		"GET https://example.org/docs?page=password",
		"\x89PNG\r\n\x1a\n" + strings.Repeat("password=Tr0ub4dor&3xyzQ\xff", 3),
	} {
		in := "data:x/y;base64," + base64.StdEncoding.EncodeToString([]byte(text))
		if got, _ := Default().Redact(in); got != in {
			t.Errorf("%q becomes %s", text, got)
		}
	}
}
