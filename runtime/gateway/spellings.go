package gateway

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// encodedForms returns the forms in which a secret appears inside other text, as common encoders write it: JSON once or
// twice encoded, URLs, HTML, shells, and base64 at any alignment, as in "Basic …".
func encodedForms(value string) []string {
	if len(value) < minSecret { // in base64 it is too ambiguous
		return []string{value}
	}
	inner := func(quoted string) string { return quoted[1 : len(quoted)-1] }
	plain := inner(string(rawjson.Quote(value)))
	escaped, _ := json.Marshal(value) // with <, > and & as \u003c
	out := []string{value, plain, inner(string(escaped)), inner(string(rawjson.Quote(plain))), asciiJSON(plain), strings.ReplaceAll(plain, "/", `\/`),
		strings.ReplaceAll(value, "'", `'\''`), html.EscapeString(value), htmlNames.Replace(value), htmlHex.Replace(value)}
	query := url.QueryEscape(value)
	strict := strings.ReplaceAll(query, "+", "%20")
	for _, s := range []string{query, strict, encodeURI.Replace(strict), url.PathEscape(value)} {
		out = append(out, s, percent.ReplaceAllStringFunc(s, strings.ToLower))
	}
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 { // bytes that share its first characters
			coded := coding.EncodeToString(append(make([]byte, before), value...))
			if (before+len(value))%3 > 0 {
				coded = coded[:len(coded)-1] // the last is shared with the following byte
			}
			out = append(out, coded[(before*8+5)/6:])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	percent   = lazyregexp.New(`%[0-9A-F]{2}`)
	encodeURI = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*") // left by encodeURIComponent
	htmlNames = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
	htmlHex   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")
)

// asciiJSON escapes all non-ASCII characters inside a JSON string.
func asciiJSON(inner string) string {
	var b strings.Builder
	for _, r := range inner {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b.WriteString(`\u` + strconv.FormatInt(int64(unit)+0x10000, 16)[1:])
		}
	}
	return b.String()
}

// credentials matches the credentials in URLs that url.Parse refuses, ending at the last @, and in Go's MySQL DSNs.
var credentials = lazyregexp.New(`^(?:[A-Za-z][A-Za-z0-9+.-]*://[^\s:/@]*:(\S+)@|[^\s:/@]+:(\S+)@(?:tcp|unix)\()`)

// passwordIn returns the password in an address, or "" if there is none.
func passwordIn(address string) string {
	if !strings.Contains(address, "@") {
		return ""
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		password, _ := u.User.Password()
		return password
	}
	if m := credentials.FindStringSubmatch(address); m != nil {
		return m[1] + m[2]
	}
	return ""
}
