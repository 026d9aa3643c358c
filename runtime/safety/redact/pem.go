package redact

import "strings"

const (
	pemBegin   = "-----BEGIN "
	pemEnd     = "-----END "
	maxPEM     = 64 << 10 // the limit of a block, in bytes
	minPEMBody = 24       // base64 characters that make it a key and not a mention of one
)

// privateKey finds a private key in PEM form at the word KEY of its label: the block from BEGIN to END, or what is left
// of it if its end or its beginning was cut off. Line ends may be escaped, as in JSON.
func (d *detector) privateKey(s *scan, start, end int) {
	line := lineBefore(s.text, start, 128)
	for _, gap := range addressSpaces {
		if i := strings.LastIndex(line, strings.Replace(pemBegin, " ", gap, 1)); i >= 0 && isLabel(strings.ReplaceAll(line[i+len(pemBegin)-1:], gap, " ")) {
			d.addressKey(s, start-len(line)+i, end)
			return
		}
	}
	if i := strings.LastIndex(line, pemBegin); i >= 0 && isLabel(line[i+len(pemBegin):]) {
		d.openedKey(s, start-len(line)+i, end)
	} else if i := strings.LastIndex(line, pemEnd); i >= 0 && isLabel(line[i+len(pemEnd):]) {
		d.headlessKey(s, start-len(line)+i)
	}
}

// addressSpaces are the forms of a space in a URL.
var addressSpaces = []string{"+", "%20"}

// addressKey finds a block in a URL, which has no line ends. It ends with its END, else where the value does.
func (d *detector) addressKey(s *scan, start, bodyStart int) {
	body := s.text[bodyStart:min(len(s.text), bodyStart+maxPEM)]
	if i := strings.IndexAny(body, " \t\r\n\"'`<>&;"); i >= 0 {
		body = body[:i]
	}
	s.watch.spend(len(body) / 4)
	end := bodyStart + len(body)
	if i := strings.Index(body, "-----END"); i >= 0 {
		label := i + len("-----END") // which can be cut off
		if j := strings.LastIndex(body[label:], "-----"); j >= 0 {
			end = bodyStart + label + j + len("-----")
		}
	}
	if countBase64(body) >= minPEMBody {
		s.addFinding(d, start, end)
	}
	s.skipTo(d, end)
}

// puttyKey finds the lines of the private part of a PuTTY key file after "Private-Lines:".
func (d *detector) puttyKey(s *scan, _, end int) {
	from := strings.IndexByte(s.text[end:min(len(s.text), end+16)], '\n')
	if from < 0 {
		return
	}
	to := keyBodyEnd(s.text, end+from+1)
	if countBase64(s.text[end+from+1:to]) >= minPEMBody {
		s.addFinding(d, end+from+1, to)
	}
	s.skipTo(d, to)
}

func isLabel(s string) bool {
	return !strings.Contains(s, "PUBLIC") && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-") == ""
}

// openedKey finds a block whose BEGIN is at start and whose body begins at bodyStart.
func (d *detector) openedKey(s *scan, start, bodyStart int) {
	body, _, _ := strings.Cut(s.text[bodyStart:min(len(s.text), bodyStart+maxPEM)], pemBegin)
	s.watch.spend(len(body) / 4)
	if i := strings.Index(body, pemEnd); i >= 0 {
		if countBase64(body[:i]) == 0 {
			return
		}
		end := bodyStart + i + len(pemEnd)
		if j := strings.Index(s.text[end:min(len(s.text), end+64)], "-----"); j >= 0 {
			end += j + len("-----")
		}
		s.addFinding(d, start, end)
		s.skipTo(d, end)
		return
	}
	end := keyBodyEnd(s.text, bodyStart)
	if prefix := lineBefore(s.text, start, 128); strings.Trim(prefix, " \t") != "" {
		end = max(end, prefixedBodyEnd(s.text, bodyStart))
	}
	s.skipTo(d, end)
	if countBase64(s.text[bodyStart:end]) >= minPEMBody {
		s.addFinding(d, start, end)
	}
}

// headlessKey finds the lines of base64 before an END marker at end.
func (d *detector) headlessKey(s *scan, end int) {
	lo := max(0, end-maxPEM, s.done[d])
	start := end
	defer s.skipTo(d, end)
	for start > lo {
		at := strings.LastIndexByte(strings.TrimRight(s.text[lo:start], "\n\r"), '\n') + 1 + lo
		if line := strings.TrimSpace(s.text[at:start]); !isKeyLine(line) {
			break
		}
		start = at
	}
	if countBase64(s.text[start:end]) >= minPEMBody {
		s.addFinding(d, start, end)
	}
}

// keyBodyEnd returns where the lines of a key that starts at from end: at the first line that is neither base64 nor a
// header of the block nor empty.
func keyBodyEnd(text string, from int) int {
	end := from
	for at := from; at < len(text) && at-from < maxPEM; {
		line, _, _ := strings.Cut(text[at:min(len(text), from+maxPEM)], "\n")
		next := min(len(text), at+len(line)+1)
		clean := strings.TrimSpace(line)
		if clean != "" && !isKeyLine(clean) {
			return end + escapedPart(text[end:next])
		}
		if clean != "" {
			end = at + len(line)
		}
		at = next
	}
	return end
}

// prefixedBodyEnd does what keyBodyEnd does for lines with a prefix: a file name and a number, or a time.
func prefixedBodyEnd(text string, from int) int {
	const full = 48 // the least base64 on a line that the next one continues
	end := from
	for at := from + len(firstLine(text[from:])); at < len(text) && at-from < maxPEM; {
		line := firstLine(text[at+1:])
		clean := strings.TrimRight(line, " \t\r")
		run := len(clean)
		for run > 0 && isBase64(clean[run-1]) {
			run--
		}
		if len(clean)-run < full {
			return end
		}
		at += 1 + len(line)
		end = at
	}
	return end
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s[:min(len(s), 512)], "\n")
	return line
}

// escapedPart returns how much of a line belongs to a key whose line ends are written \n.
func escapedPart(line string) int {
	i := 0
	for i < len(line) && (isBase64(line[i]) || line[i] == '\\' || line[i] == '-') {
		i++
	}
	if i < minPEMBody {
		return 0
	}
	return i
}

// isKeyLine reports whether a line can be in a PEM block: base64, or a header such as "Proc-Type: 4,ENCRYPTED". Source
// code around it (quotes, "+", comment marks) does not matter.
func isKeyLine(line string) bool {
	for _, header := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"} {
		if strings.HasPrefix(line, header) {
			return true
		}
	}
	line = strings.TrimSuffix(strings.Trim(line, "\"'`+,;\\ \t#*/|>"), `\n`)
	if len(line) > 80 || len(line) < 4 && strings.Trim(line, "=") == "" {
		return len(line) == 0
	}
	for i := range len(line) {
		if !isBase64(line[i]) {
			return false
		}
	}
	return true
}

func isBase64(c byte) bool { return letterClass[c] != other || c == '+' || c == '/' || c == '=' }

// countBase64 counts the characters in runs long enough for a key; words of a sentence are too short to count.
func countBase64(s string) (n int) {
	run := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && isBase64(s[i]) {
			run++
			continue
		}
		if run >= 12 {
			n += run
		}
		run = 0
	}
	return n
}
