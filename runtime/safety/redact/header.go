package redact

import "strings"

// authHeader finds the credentials after a scheme word (Bearer, Basic, Negotiate) or after "Authorization:". Inside a
// header they are a secret even if they do not look random.
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
	s.skipTo(d, to)
	v := strings.TrimRight(s.text[from:to], ".,:")
	if isCredentials(word, v, inHeader) && !isPlaceholder(v) {
		s.addFinding(d, from, from+len(v))
	}
}

// maxCredentials is the longest value of a header, in bytes; Kerberos tickets are the longest.
const maxCredentials = 16 << 10

// schemes are the words that may come between "Authorization:" and the credentials.
var schemes = []string{"bearer", "basic", "token", "apikey", "api-key", "negotiate", "sso-key", "key", "digest"}

// headerValue returns where the credentials begin after "Authorization", or -1, and the scheme, which may be missing:
// `: Bearer v`, `", "Token v`, `": "v`, `"] = "v`.
func headerValue(text string, at int) (from int, scheme string) {
	from = skipAny(text, at, "\"' \t:=,>\\])", 8)
	if !strings.ContainsAny(text[at:from], ":=,>") {
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

// skipAny moves at forward over at most n bytes that are in set, and returns where it stops.
func skipAny(text string, at int, set string, n int) int {
	for limit := at + n; at < len(text) && at < limit && strings.IndexByte(set, text[at]) >= 0; {
		at++
	}
	return at
}

// isCredentials reports whether v can be the value of an authorization header. Outside a header ("a bearer token",
// "basic authentication") it must look random.
func isCredentials(scheme, v string, inHeader bool) bool {
	if len(v) < 8 {
		return false
	}
	bits, _, _ := measureRandomness(v)
	mixed, long := alphabetIn(v)&digit != 0, len(v) >= 16
	switch {
	case scheme == "basic":
		return isBasic(v) && (inHeader || bits >= namedBits)
	case inHeader && scheme != "":
		return long && (mixed || bits >= wordlikeBits || isName(v) && strings.Contains(v, "abcdef")) || mixed && (bits >= wordlikeBits || len(v) >= 12)
	case inHeader:
		return long && mixed && bits >= namedBits
	}
	return long && mixed && (bits >= wordlikeBits || isMade(v))
}

// isBasic reports whether v is base64 of "user:password".
func isBasic(v string) bool {
	raw, ok := decodeBase64(v)
	return ok && strings.IndexByte(raw, ':') >= 0
}

func isCredential(c byte) bool { return isWord(c) || strings.IndexByte("-._~+/=:%!@$", c) >= 0 }

// curlUser finds the credentials in "curl -u user:password" at "-u " or "--user".
func (d *detector) curlUser(s *scan, start, end int) {
	command := s.text[max(0, start-commandReach):start]
	if i := strings.LastIndex(command, "curl"); i < 0 || strings.Contains(strings.ReplaceAll(command[i:], "\\\n", ""), "\n") {
		return
	}
	from := skipAny(s.text, end, " =\t", 3)
	if from == len(s.text) {
		return
	}
	to, stop := from, " \t\r\n"
	if q := s.text[from]; q == '"' || q == '\'' {
		from, to, stop = from+1, from+1, string(q)+"\n"
	}
	for to < len(s.text) && to-from < maxPassword && strings.IndexByte(stop, s.text[to]) < 0 {
		to++
	}
	to = from + len(strings.TrimRight(s.text[from:to], "\\\"'"))
	user, password, ok := strings.Cut(s.text[from:to], ":")
	password = strings.Trim(password, "\"'")
	bits, _, _ := measureRandomness(user)
	if ok && (len(password) >= 3 && !isPlaceholder(password) || password == "" && bits >= wordlikeBits) {
		s.addFinding(d, from, to)
	}
}

// commandReach is how far before an option its command is looked for, in bytes.
const commandReach = 512
