package redact

import "strings"

// urlPassword finds the password in "scheme://user:password@host" at "://", and a user name that is itself a token.
func (d *detector) urlPassword(s *scan, start, end int) {
	if start == 0 || !isWord(s.text[start-1]) {
		return
	}
	at, colon, domain := -1, -1, false
	for i := end; i < len(s.text) && i-end < 1024; i++ {
		c := s.text[i]
		if c == '\\' && colon < 0 && !domain && i > end {
			if n := skipAny(s.text, i, "\\", 4); n < len(s.text) && isWord(s.text[n]) && isWord(s.text[i-1]) { // DOMAIN\user
				domain, i = true, n-1
				continue
			}
		}
		if c == '@' {
			at = i // a password may contain "@": the last one before the host counts
			continue
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '/' || c == '?' || c == '#' || c <= ' ' || strings.IndexByte("\"'`<>\\,;|^", c) >= 0 {
			break
		}
	}
	if at < 0 || at+1 >= len(s.text) || !isHostStart(s.text[at+1]) {
		return
	}
	user, password := window{end, at}, window{at, at}
	if i := strings.Index(lowerASCII(s.text[end:at]), "%3a"); colon < 0 && i >= 0 {
		user.hi, password.lo = end+i, end+i+len("%3a")
	}
	if colon >= 0 && colon < at {
		user.hi, password.lo = colon, colon+1
	}
	if v := s.text[password.lo:password.hi]; !isTemplate(v) && !isMarkerPassword(v) {
		s.addFinding(d, password.lo, password.hi)
	}
	if v := s.text[user.lo:user.hi]; len(v) >= 16 && !isPlaceholder(v) {
		if bits, _, _ := measureRandomness(v); bits >= namedBits {
			s.addFinding(d, user.lo, user.hi)
		}
	}
}

// isHostStart reports whether c can begin a host, or a variable in place of one.
func isHostStart(c byte) bool { return letterClass[c] != other || strings.IndexByte("[${%<(", c) >= 0 }

// isMarkerPassword reports whether a password only indicates that the user name is the token.
func isMarkerPassword(v string) bool {
	return v == "x-oauth-basic" || v == "x" || v == "api_token" || v == "x-token-auth"
}
