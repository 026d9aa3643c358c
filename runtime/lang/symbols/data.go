package symbols

import "bytes"

// Data files: readers search for the top-level keys.

// scanData reads the top-level keys of a data file.
func scanData(o *outline) {
	d := dataScan{outline: o}
	if d.lang == JSON {
		d.readJSON()
		return
	}
	rest := bytes.TrimPrefix(d.src, bom)
	off := len(d.src) - len(rest)
	for len(rest) > 0 {
		line, next, _ := cutLine(rest)
		d.line++
		if d.lang == YAML {
			d.readYAML(line, off)
		} else {
			d.readTOML(line, off)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			d.last = d.line
		}
		off += len(rest) - len(next)
		rest = next
	}
	d.endKey(d.last)
}

// dataScan reads the keys of a data file.
type dataScan struct {
	*outline
	line    int32
	last    int32 // last non-blank line
	open    int   // 1 + index of the key whose value is being read, 0 for none
	section span  // TOML: the table that contains the keys
	doc     span  // comment on the line above
	docAt   int32
	quotes  []byte // TOML: the three quotes that end an open string
}

// addKey adds a key; the one before it ends here.
func (d *dataScan) addKey(key, line []byte, cont span, off int) {
	d.endKey(d.last)
	if len(key) == 0 || d.isFull() || d.onLongLine(uint32(off)) {
		return
	}
	raw := rawDef{kind: KindKey, line: d.line, end: d.line, pos: uint32(off), exported: true, cont: cont}
	raw.name = d.put(clip(key, maxName))
	raw.sig = d.put(clip(bytes.TrimSpace(line), maxSignature))
	if d.docAt == d.line-1 {
		raw.doc = d.doc
	}
	d.defs = append(d.defs, raw)
	d.open = len(d.defs)
}

// endKey ends, at a line, the key whose value is being read.
func (d *dataScan) endKey(line int32) {
	if d.open > 0 {
		def := &d.defs[d.open-1]
		def.end = max(def.line, line)
	}
	d.open = 0
}

// readComment records a comment line as the doc of the key below it.
func (d *dataScan) readComment(line []byte) {
	if d.docAt == d.line-1 && d.doc.n > 0 {
		d.docAt = d.line // the first sentence was on an earlier line
		return
	}
	if d.isFull() {
		return
	}
	w := sentence{buf: d.buf, start: len(d.buf)}
	w.addLine(line)
	d.buf = w.finish()
	d.doc, d.docAt = span{uint32(w.start), uint32(len(d.buf) - w.start)}, d.line
}

// readYAML reads one line of YAML.
func (d *dataScan) readYAML(line []byte, off int) {
	if len(line) == 0 || isBlank(line[0]) {
		return
	}
	switch {
	case line[0] == '#':
		d.readComment(line)
	case bytes.HasPrefix(line, []byte("---")), bytes.HasPrefix(line, []byte("...")):
		d.endKey(d.last)
	case line[0] == '-' || line[0] == '%' || line[0] == '{' || line[0] == '[' || line[0] == '}' || line[0] == ']':
	default:
		if key := findYAMLKey(line); key != nil {
			d.addKey(key, line, span{}, off)
		}
	}
}

// findYAMLKey returns the key before a colon that is followed by a blank or the end of the line, or nil.
func findYAMLKey(line []byte) []byte {
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

// readTOML reads one line of TOML.
func (d *dataScan) readTOML(line []byte, off int) {
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
		d.readComment(text)
	case text[0] == '[' && !isBlank(line[0]):
		name, _, ok := bytes.Cut(bytes.TrimLeft(text, "["), []byte{']'})
		if ok && len(line) <= maxLine {
			d.addKey(bytes.TrimSpace(name), line, span{}, off)
			d.section = d.put(clip(bytes.TrimSpace(name), maxName))
		}
	case d.section.n == 0 && !isBlank(line[0]):
		if key, _, ok := bytes.Cut(text, []byte{'='}); ok && text[0] != ']' && text[0] != '"' {
			d.addKey(bytes.TrimSpace(key), line, span{}, off)
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

// readJSON reads the keys of the outermost object.
func (d *dataScan) readJSON() {
	src := d.src
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
				d.endKey(d.line - 1)
			}
		case ',':
			key = depth == 1
		case '/':
			i = skipJSONComment(src, i)
		case '"':
			end := skipJSONString(src, i)
			if key && depth == 1 && hasJSONColon(src, end) {
				d.last = d.line
				d.addJSONKey(src, i, end, start)
			}
			key = false
			i = end - 1
		}
	}
	d.endKey(d.line)
}

// addJSONKey adds the key between offsets i and end on the line that begins at start.
func (d *dataScan) addJSONKey(src []byte, i, end, start int) {
	stop := len(src)
	if n := bytes.IndexByte(src[start:min(len(src), start+maxLine+1)], '\n'); n >= 0 {
		stop = start + n
	}
	if d.open > 0 {
		d.endKey(max(d.defs[d.open-1].line, d.line-1))
	}
	d.addKey(src[i+1:max(end-1, i+1)], src[i:max(stop, i)], span{}, i)
}

// skipJSONString returns the offset after the string that opens at i.
func skipJSONString(src []byte, i int) int {
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

// hasJSONColon reports whether the next non-blank byte from j on is a colon.
func hasJSONColon(src []byte, j int) bool {
	for j < len(src) && src[j] <= ' ' {
		j++
	}
	return j < len(src) && src[j] == ':'
}

// skipJSONComment skips a comment at i, which some dialects allow; its line break is left for the caller to count.
func skipJSONComment(src []byte, i int) int {
	if i+1 < len(src) && src[i+1] == '/' {
		for i+1 < len(src) && src[i+1] != '\n' {
			i++
		}
	}
	return i
}
