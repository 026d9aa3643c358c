package symbols

import "bytes"

// Data files: the keys at the top are what a reader looks for.

func (s *Scanner) scanData() {
	d := dataScan{s: s}
	if s.lang == JSON {
		d.json()
		return
	}
	rest := bytes.TrimPrefix(s.src, bom)
	off := len(s.src) - len(rest)
	for len(rest) > 0 {
		line, next, _ := cutLine(rest)
		d.line++
		if s.lang == YAML {
			d.yaml(line, off)
		} else {
			d.toml(line, off)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			d.last = d.line
		}
		off += len(rest) - len(next)
		rest = next
	}
	d.close(d.last)
}

type dataScan struct {
	s       *Scanner
	line    int32
	last    int32 // last line that is not blank
	open    int   // 1 + index of the key whose value is being read
	section span  // TOML: the table that keys stand in
	doc     span  // comment on the line before
	docAt   int32
	quotes  []byte // TOML: the three quotes that end an open string
}

// add starts a key; the one before it ends here.
func (d *dataScan) add(key, line []byte, cont span, off int) {
	d.close(d.last)
	s := d.s
	if len(key) == 0 || s.full() || s.longLine(uint32(off)) {
		return
	}
	raw := rawDef{kind: KindKey, line: d.line, end: d.line, pos: uint32(off), exported: true, cont: cont}
	raw.name = s.put(clipped(key, maxName))
	raw.sig = s.put(clipped(bytes.TrimSpace(line), maxSignature))
	if d.docAt == d.line-1 {
		raw.doc = d.doc
	}
	s.defs = append(s.defs, raw)
	d.open = len(s.defs)
}

func (d *dataScan) close(line int32) {
	if d.open > 0 {
		def := &d.s.defs[d.open-1]
		def.end = max(def.line, line)
	}
	d.open = 0
}

// comment remembers a comment line as the doc of the key below it.
func (d *dataScan) comment(line []byte) {
	s := d.s
	if d.docAt == d.line-1 && d.doc.n > 0 {
		d.docAt = d.line // the first sentence came before
		return
	}
	if s.full() {
		return
	}
	w := sentence{buf: s.buf, start: len(s.buf)}
	w.line(line)
	s.buf = w.close()
	d.doc, d.docAt = span{uint32(w.start), uint32(len(s.buf) - w.start)}, d.line
}

func (d *dataScan) yaml(line []byte, off int) {
	if len(line) == 0 || isBlank(line[0]) {
		return
	}
	switch {
	case line[0] == '#':
		d.comment(line)
	case bytes.HasPrefix(line, []byte("---")), bytes.HasPrefix(line, []byte("...")):
		d.close(d.last)
	case line[0] == '-' || line[0] == '%' || line[0] == '{' || line[0] == '[' || line[0] == '}' || line[0] == ']':
	default:
		if key := yamlKey(line); key != nil {
			d.add(key, line, span{}, off)
		}
	}
}

// yamlKey is the key before a colon that a blank or the line's end follows.
func yamlKey(line []byte) []byte {
	if c := line[0]; c == '"' || c == '\'' {
		n := bytes.IndexByte(line[1:], c)
		if n < 0 || !bytes.HasPrefix(line[n+2:], []byte{':'}) {
			return nil
		}
		return line[1 : n+1]
	}
	n := bytes.IndexByte(line, ':')
	if n <= 0 || n+1 < len(line) && line[n+1] > ' ' {
		return nil
	}
	return bytes.TrimSpace(line[:n])
}

func (d *dataScan) toml(line []byte, off int) {
	text := bytes.TrimSpace(line)
	if d.quotes != nil {
		if bytes.Contains(text, d.quotes) {
			d.quotes = nil
		}
		return
	}
	switch {
	case len(text) == 0:
	case text[0] == '#':
		d.comment(text)
	case text[0] == '[' && !isBlank(line[0]):
		name, _, ok := bytes.Cut(bytes.TrimLeft(text, "["), []byte{']'})
		if ok && len(line) <= maxLine {
			d.add(bytes.TrimSpace(name), line, span{}, off)
			d.section = d.s.put(clipped(bytes.TrimSpace(name), maxName))
		}
	case d.section.n == 0 && !isBlank(line[0]):
		if key, _, ok := bytes.Cut(text, []byte{'='}); ok && text[0] != ']' && text[0] != '"' {
			d.add(bytes.TrimSpace(key), line, span{}, off)
		}
		fallthrough
	default:
		for _, q := range []string{`"""`, "'''"} {
			if bytes.Count(text, []byte(q)) == 1 {
				d.quotes = []byte(q)
			}
		}
	}
}

// json reads the keys of the outermost object.
func (d *dataScan) json() {
	src := d.s.src
	depth, key, start := 0, true, 0
	d.line = 1
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '\n':
			d.line++
			start = i + 1
		case '{', '[':
			depth++
			key = depth == 1 && c == '{'
		case '}', ']':
			if depth--; depth == 0 {
				d.close(d.line - 1)
			}
		case ',':
			key = depth == 1
		case '/':
			i = jsonComment(src, i)
		case '"':
			end := jsonString(src, i)
			if key && depth == 1 && jsonColon(src, end) {
				d.last = d.line
				d.jsonKey(src, i, end, start)
			}
			key = false
			i = end - 1
		}
	}
	d.close(d.line)
}

func (d *dataScan) jsonKey(src []byte, i, end, start int) {
	stop := len(src)
	if n := bytes.IndexByte(src[start:min(len(src), start+maxLine+1)], '\n'); n >= 0 {
		stop = start + n
	}
	if d.open > 0 {
		d.close(max(d.s.defs[d.open-1].line, d.line-1))
	}
	d.add(src[i+1:max(end-1, i+1)], src[i:max(stop, i)], span{}, i)
}

// jsonString is the offset behind the string that opens at i.
func jsonString(src []byte, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		case '\n':
			return j
		}
	}
	return len(src)
}

func jsonColon(src []byte, j int) bool {
	for j < len(src) && src[j] <= ' ' {
		j++
	}
	return j < len(src) && src[j] == ':'
}

// jsonComment passes over a comment at i, as some dialects allow; its line
// breaks are left for the caller to count.
func jsonComment(src []byte, i int) int {
	if i+1 < len(src) && src[i+1] == '/' {
		for i+1 < len(src) && src[i+1] != '\n' {
			i++
		}
	}
	return i
}
