package redact

import "strings"

// Private keys that are written as numbers under names of one or two letters: a JSON web key and the XML of .NET.

// keyParts finds the private numbers of a key whose object the keyword at text[start:end] opens or is in.
func (d *detector) keyParts(s *scan, start, end int) {
	if s.text[start] != '"' {
		if strings.HasPrefix(s.text[end:], ">") && start > 0 && s.text[start-1] == '<' {
			d.xmlKey(s, end)
		}
		return
	}
	lo, hi := max(0, start-maxPEM/8), min(len(s.text), end+maxPEM/8)
	if i := strings.LastIndexByte(s.text[lo:start], '{'); i >= 0 {
		lo += i
	}
	if i := strings.IndexByte(s.text[end:hi], '}'); i >= 0 {
		hi = end + i
	}
	s.watch.spend((hi - lo) / 4)
	for _, name := range []string{`"d"`, `"p"`, `"q"`, `"dp"`, `"dq"`, `"qi"`, `"k"`} {
		i := strings.Index(s.text[lo:hi], name)
		if i < 0 {
			continue
		}
		from := skipAny(s.text, lo+i+len(name), " \t\n\r:\"", 16)
		d.reportNumber(s, from, hi)
	}
}

// xmlKey finds the private elements of an <RSAKeyValue>.
func (d *detector) xmlKey(s *scan, at int) {
	hi := min(len(s.text), at+maxPEM/8)
	if i := strings.Index(s.text[at:hi], "</RSAKeyValue>"); i >= 0 {
		hi = at + i
	}
	s.watch.spend((hi - at) / 4)
	for _, tag := range []string{"<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>"} {
		if i := strings.Index(s.text[at:hi], tag); i >= 0 {
			d.reportNumber(s, at+i+len(tag), hi)
		}
	}
}

// reportNumber reports a run of base64 at from that is long enough for a number of a key.
func (d *detector) reportNumber(s *scan, from, hi int) {
	const minNumber = 20
	to := from
	for to < hi && (isBase64(s.text[to]) || s.text[to] == '-' || s.text[to] == '_') {
		to++
	}
	if to-from >= minNumber && !isFiller(s.text[from:to]) {
		s.addFinding(d, from, to)
	}
}

// generatedPassword finds the value of a resource that generates a password: "result" below it, in a state file or in output.
func (d *detector) generatedPassword(s *scan, _, end int) {
	if end < len(s.text) && s.text[end] == '.' {
		return // a reference
	}
	const reach = 4 << 10
	part := s.text[end:min(len(s.text), end+reach)]
	for _, next := range []string{`"type":`, `"type" :`, "\nresource ", "\n# "} {
		if i := strings.Index(part, next); i >= 0 {
			part = part[:i]
		}
	}
	s.watch.spend(len(part) / 8)
	for at := 0; ; {
		i := strings.Index(part[at:], "result")
		if i < 0 {
			return
		}
		at += i + len("result")
		from := skipAny(part, at, "\\\" \t=:", 12)
		if from >= len(part) || from == at || strings.IndexByte(`"`, part[from-1]) < 0 || strings.Trim(part[at:from], "\\\"") == "" {
			continue
		}
		to := from
		for to < len(part) && part[to] != '"' && part[to] != '\n' {
			if part[to] == '\\' && to+1 < len(part) && part[to+1] == '"' && part[from-1:from] == `"` && (from < 2 || part[from-2] != '\\') {
				to++
			}
			to++
		}
		to = from + len(strings.TrimRight(part[from:min(to, len(part))], "\\"))
		if v := part[from:to]; len(v) >= 4 && !isPlaceholder(v) && !strings.ContainsAny(v, " ${}") {
			s.addFinding(d, end+from, end+to)
		}
		at = to
	}
}
