package redact

import "strings"

// encodedKeyHeads map a text to how many characters before it a private key in base64 begins: PEM that was encoded
// again, as in a kubeconfig, or the key's own bytes. -1 means anywhere before, for PEM that follows something else.
var encodedKeyHeads = map[string]int{
	"LS0tLS1CRUdJT":              0,
	"UFJJVkFURSBLRV":             -1, // "PRIVATE KE" at each position in a group of three bytes
	"BSSVZBVEUgS0VZ":             -1,
	"QUklWQVRFIEtFW":             -1,
	"IBAAK":                      6, // RSA
	"IBADANBgkqhkiG9w0BAQEFAASC": 6, // RSA in PKCS#8
	"MC4CAQAwBQYDK2VwBCIEI":      0, // Ed25519
	"MHcCAQEEI":                  0, // P-256
	"MIGkAgEBBD":                 0, // P-384
	"MIGHAgEAMBMGByqGSM49AgEG":   0, // the same in PKCS#8
	"MIG2AgEAMBAGByqGSM49AgEG":   0,
	"b3BlbnNzaC1rZXktdjEA":       0, // OpenSSH
}

const (
	minEncodedKey  = 60 // characters; the shortest key is Ed25519
	minEncodedLine = 48 // of a line that is followed by another
)

// encodedKey finds a private key in base64, including all its lines, at one of encodedKeyHeads.
func (d *detector) encodedKey(s *scan, start, end int) {
	head := s.text[start:end] // found in any case, and perhaps only the beginning of a head
	back, ok := encodedKeyHeads[head]
	for h, n := range encodedKeyHeads {
		if !ok && strings.HasPrefix(s.text[start:], h) {
			head, back, ok = h, n, true
		}
	}
	if !ok {
		return
	}
	end = start + len(head)
	from := max(0, start-maxPEM, s.done[d])
	if back < 0 {
		start = blockStart(s.text, from, start)
	} else if start -= back; start < from || start > 0 && isBase64(s.text[start-1]) || back > 0 && !strings.HasPrefix(s.text[start:], "MII") {
		return
	}
	end = blockEnd(s.text, end)
	s.watch.spend(end - start)
	s.skipTo(d, end)
	if strings.HasPrefix(head, "LS0t") {
		if head, _ := decodeBase64(s.text[start : start+(min(end-start, 64)/4*4)]); !strings.Contains(head, "PRIVATE") {
			s.done[d] = start + 1 // a certificate, which a key may follow
			return
		}
	}
	if end-start >= minEncodedKey {
		s.addFinding(d, start, end)
	}
}

// blockEnd returns where the lines of base64 around text[at] end.
func blockEnd(text string, at int) int {
	limit := min(len(text), at+maxPEM)
	line := at
	for line > 0 && at-line < minEncodedLine && isBase64(text[line-1]) {
		line--
	}
	for end := at; ; {
		for end < limit && isBase64(text[end]) {
			end++
		}
		if end-line < 4 && line > at || end < len(text) && !endsLine(text[end]) {
			return at
		}
		at = end
		next := end + breakLen(text[end:])
		if end-line < minEncodedLine || next == end || next >= limit {
			return at
		}
		line, end = next, next
	}
}

// endsLine reports whether a line of base64 can end before c.
func endsLine(c byte) bool { return c <= ' ' || strings.IndexByte("\"'`\\,;<)]}", c) >= 0 }

// breakLen returns the length of the text between two lines of base64: the end of a string, of the line (literal or as
// an escape), and what comes before the next one.
func breakLen(s string) int {
	i := skipAny(s, 0, "\"' \t,+\r", 8)
	j := skipAny(s, i, "\\", 3)
	switch rest := s[j:]; {
	case i == j && strings.HasPrefix(rest, "\n"):
		i++
	case i < j && strings.HasPrefix(rest, "n"):
		i = j + 1
	default:
		return 0
	}
	return skipAny(s, i, " \t\"'", 64)
}

// blockStart returns where the lines of base64 around text[at] begin, but not before from.
func blockStart(text string, from, at int) int {
	for {
		for at > from && isBase64(text[at-1]) {
			at--
		}
		gap := skipBack(text, at, " \t\"'", 64)
		switch {
		case gap > from && text[gap-1] == '\n':
			gap--
		default:
			return at
		}
		gap = skipBack(text, gap, "\r\"' \t,+", 8)
		line := gap
		for line > from && gap-line < minEncodedLine && isBase64(text[line-1]) {
			line--
		}
		if gap-line < minEncodedLine {
			return at
		}
		at = line
	}
}
