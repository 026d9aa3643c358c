package redact

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// encodedMarks are texts that begin or precede a secret. In base64, each looks one of three ways, depending on where in
// a group of three bytes it begins.
var encodedMarks = []string{
	"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "AKIA", "ASIA", "sk_live_", "rk_live_", "sk-ant-", "sk-proj-",
	"AIza", "npm_", "pypi-", "dop_v1_", "shpat_", "hvs.", "eyJhbGci", "password", "Password", "PASSWORD", "passwd", "secret", "SECRET", "api_key",
	"apikey", "API_KEY", "TOKEN", "token", "Bearer ", "Authorization", "postgres://", "postgresql://", "mysql://", "mongodb", "redis://", "amqp://",
}

const (
	minEncoded = 24      // characters; anything shorter holds no secret that we detect
	maxEncoded = 1 << 20 // characters of one run that are decoded
)

// encodedKeywords returns the base64 forms of encodedMarks, as far as they do not depend on the neighboring bytes, and
// the text by which a data URL announces base64.
func encodedKeywords() []string {
	list := []string{";base64,"}
	for _, mark := range encodedMarks {
		for at := range 3 {
			text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", at) + mark))
			list = append(list, lowerASCII(text[(8*at+5)/6:8*(at+len(mark))/6]))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// encodedSecret finds a run of base64 whose decoded text holds a secret.
func (d *detector) encodedSecret(s *scan, start, end int) {
	if s.text[end-1] == ',' {
		start = end
	}
	for start > s.done[d] && isEncoding(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end-start < maxEncoded && isEncoding(s.text[end]) {
		end++
	}
	s.watch.spend(end - start)
	s.skipTo(d, end)
	if end-start < minEncoded || s.watch.decoding {
		return
	}
	run := s.text[start:end]
	if len(run)%4 == 1 {
		run = run[:len(run)-1] // cut off where it was quoted
	}
	text, ok := decodeBase64(run)
	if !ok || !utf8.ValidString(text) {
		return
	}
	s.watch.decoding = true
	found := s.r.findSpans("", text, s.watch)
	s.watch.decoding = false
	if len(found) > 0 {
		s.addFinding(d, start, end)
	}
}

// isEncoding reports whether c occurs in base64 of either alphabet, other than as padding.
func isEncoding(c byte) bool { return c != '=' && isBase64(c) || c == '-' || c == '_' }
