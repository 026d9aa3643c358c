package redact

import "strings"

// authHeader takes the credentials behind a scheme word (Bearer, Basic, Negotiate) or behind "Authorization:". Written
// out in a header they are a secret even when they do not look random.
func (d *detector) authHeader(s *scan, start, end int) {
	if start > 0 && isWord(s.text[start-1]) || end < len(s.text) && isWord(s.text[end]) {
		return
	}
	from, inHeader, word := end, false, strings.ToLower(s.text[start:end])
	if word == "authorization" {
		if from, word = headerValue(s.text, end); from < 0 {
			return
		}
		inHeader = true
	} else {
		before := strings.ToLower(lineBefore(s.text, start, 48))
		inHeader = strings.Contains(before, "auth") || strings.Contains(before, "header")
		if from = skipAny(s.text, end, " \t:=", 4); from == end {
			return
		}
	}
	to := from
	for limit := from + maxCredentials; to < len(s.text) && to < limit && isCredential(s.text[to]); {
		to++
	}
	s.watch.spend(to - from)
	v := strings.TrimRight(s.text[from:to], ".,:")
	if isCredentials(word, v, inHeader) && !isPlaceholder(v) {
		s.add(d, from, from+len(v))
	}
}

// maxCredentials is the longest value of a header, in bytes; a Kerberos ticket has the most.
const maxCredentials = 16 << 10

// schemes are the words that may stand between "Authorization:" and the credentials.
var schemes = []string{"bearer", "basic", "token", "apikey", "api-key", "negotiate", "sso-key", "key", "digest"}

// headerValue returns where the credentials begin behind "Authorization", or -1, and the scheme, which may be missing:
// `: Bearer v`, `", "Token v`, `": "v`, `"] = "v`.
func headerValue(text string, at int) (from int, scheme string) {
	from = skipAny(text, at, "\"' \t:=,>\\])", 8)
	if strings.IndexAny(text[at:from], ":=,>") < 0 {
		return -1, ""
	}
	for _, scheme := range schemes {
		if n := from + len(scheme); n < len(text) && strings.EqualFold(text[from:n], scheme) {
			if to := skipAny(text, n, " \t:=", 4); to > n {
				return to, scheme
			}
		}
	}
	return from, ""
}

// skipAny returns the first place from at on whose byte is not in set, at most n further.
func skipAny(text string, at int, set string, n int) int {
	for limit := at + n; at < len(text) && at < limit && strings.IndexByte(set, text[at]) >= 0; {
		at++
	}
	return at
}

// isCredentials reports whether v can be what an authorization header carries. Outside a header ("a bearer token",
// "basic authentication") it must look drawn at random.
func isCredentials(scheme, v string, inHeader bool) bool {
	if len(v) < 8 {
		return false
	}
	bits, _, _ := chance(v)
	mixed := alphabetIn(v)
	switch {
	case scheme == "basic":
		return isBasic(v) && (inHeader || bits >= namedBits)
	case inHeader && scheme != "":
		return len(v) >= 16 && (mixed&digit != 0 || bits >= wordlikeBits) || mixed&digit != 0 && bits >= wordlikeBits
	case inHeader:
		return len(v) >= 16 && mixed&digit != 0 && bits >= namedBits
	}
	return len(v) >= 16 && mixed&digit != 0 && bits >= wordlikeBits
}

// isBasic reports whether v is base64 of "user:password".
func isBasic(v string) bool {
	raw, ok := decodeBase64(v)
	return ok && strings.IndexByte(raw, ':') >= 0
}

func isCredential(c byte) bool { return isWord(c) || strings.IndexByte("-._~+/=:%!@$", c) >= 0 }
