package reply

import "strings"

// reader reads JSON as models write it, in one pass that never fails: it fills in missing parts
// and skips parts that do not belong. If it did neither, mended is false and the text was JSON.
type reader struct {
	s      string
	i      int
	open   []byte // '{' or '[' of every container around position i
	left   int    // number of values that may still be read
	mended bool
	cut    bool // the text ended inside a container
	deep   bool // the nesting went beyond maxDepth; nothing was read after that
}

func newReader(s string, from int) *reader {
	return &reader{s: s, i: from, left: maxValues}
}

func (r *reader) atEnd() bool { return r.i >= len(r.s) || r.left <= 0 }

// skipInvalid records that the text is not valid JSON and skips n bytes of it.
func (r *reader) skipInvalid(n int) {
	r.mended = true
	r.i += n
}

// enter steps into a container.
func (r *reader) enter(c byte) bool {
	if len(r.open) == maxDepth {
		r.deep = true
		r.i = len(r.s)
		return false
	}
	r.open = append(r.open, c)
	r.i++
	return true
}

func (r *reader) leave() { r.open = r.open[:len(r.open)-1] }

// isInside reports whether a container of the kind c is open around the innermost.
func (r *reader) isInside(c byte) bool {
	for _, o := range r.open[:len(r.open)-1] {
		if o == c {
			return true
		}
	}
	return false
}

// nextMember handles the text between members. done means that the container has ended, skipped
// that something was consumed.
func (r *reader) nextMember(n *node, own, other, otherOpen byte, comma *bool) (done, skipped bool) {
	r.skipSpace()
	if r.atEnd() || strings.HasPrefix(r.s[r.i:], "```") {
		r.mended, r.cut, n.half = true, true, true
		return true, false
	}
	switch c := r.s[r.i]; c {
	case own:
		r.mended = r.mended || *comma
		r.i++
		return true, false
	case other:
		if r.isInside(otherOpen) && !r.isSurplus(c) { // our closer is missing: the outer one closes both
			r.mended = true
			return true, false
		}
		r.skipInvalid(1)
		return false, true
	case ',', ';':
		r.mended = r.mended || *comma || len(n.items) == 0 || c == ';'
		*comma = true
		r.i++
		return false, true
	case ':', ')', '>':
		r.skipInvalid(1)
		return false, true
	}
	r.mended = r.mended || len(n.items) > 0 && !*comma
	*comma = false
	return false, false
}

// isSurplus reports whether a closing brace in a list is one too many: a bracket follows,
// and this list is the only one that it can close.
func (r *reader) isSurplus(c byte) bool {
	k := r.spaceEnd(r.i + 1)
	return c == '}' && k < len(r.s) && r.s[k] == ']' && !r.isInside('[')
}

func (r *reader) readObject() node {
	n := node{kind: object}
	if !r.enter('{') {
		return n
	}
	defer r.leave()
	for comma := false; ; {
		done, skipped := r.nextMember(&n, '}', ']', '[', &comma)
		if done {
			return n
		}
		if skipped {
			continue
		}
		key := r.readKey()
		n.keys = append(n.keys, key)
		n.items = append(n.items, r.readMember())
	}
}

// readMember reads the colon and value after a key.
func (r *reader) readMember() node {
	r.skipSpace()
	switch {
	case r.atEnd():
		r.mended, r.cut = true, true
		return node{kind: missing, half: true}
	case r.s[r.i] == ':':
		r.i++
	case strings.HasPrefix(r.s[r.i:], "=>"):
		r.skipInvalid(2)
	case r.s[r.i] == '=':
		r.skipInvalid(1)
	default:
		r.mended = true
	}
	r.skipSpace()
	if r.atEnd() {
		r.mended, r.cut = true, true
		return node{kind: missing, half: true}
	}
	if strings.IndexByte(",}];", r.s[r.i]) >= 0 {
		r.mended = true
		return node{kind: missing}
	}
	return r.readValue(inObject)
}

func (r *reader) readList() node {
	n := node{kind: list}
	if !r.enter('[') {
		return n
	}
	defer r.leave()
	for comma := false; ; {
		done, skipped := r.nextMember(&n, ']', '}', '{', &comma)
		if done {
			return n
		}
		if skipped {
			continue
		}
		v := r.readValue(inList)
		if r.skipSpace(); v.kind >= number && v.isScalar() && !r.atEnd() && r.s[r.i] == ':' {
			r.mended = true
			n.addPair(v.text, r.readMember())
			continue
		}
		n.items = append(n.items, v)
	}
}

// addPair adds a key and value found in a list without braces. Pairs are collected into one
// object until a key repeats.
func (n *node) addPair(key string, v node) {
	if last := len(n.items) - 1; last >= 0 && n.items[last].kind == object && n.items[last].yes && !n.items[last].hasKey(key) {
		o := &n.items[last]
		o.keys, o.items = append(o.keys, key), append(o.items, v)
		return
	}
	n.items = append(n.items, node{kind: object, yes: true, keys: []string{key}, items: []node{v}})
}

// hasKey reports whether n has a key. It returns true for more than a few keys: those are not pairs of a list.
func (n *node) hasKey(key string) bool {
	if len(n.keys) >= maxObjects {
		return true
	}
	for _, k := range n.keys {
		if k == key {
			return true
		}
	}
	return false
}

func (r *reader) readValue(m mode) node {
	r.left--
	switch c := r.s[r.i]; c {
	case '{':
		return r.readObject()
	case '[':
		return r.readList()
	}
	if q := quoteAt(r.s, r.i); q != 0 {
		s, half := r.readString(q, m)
		return node{kind: text, text: s, half: half}
	}
	return r.readWord(m)
}

// readKey reads the name of a member. It consumes at least one byte, unless a container is in
// place of the name.
func (r *reader) readKey() string {
	if q := quoteAt(r.s, r.i); q != 0 {
		from := r.i + len(string(q))
		s, half := r.readString(q, inKey)
		r.cut = r.cut || half
		if !half && r.i-from <= look && !r.colonAt(r.i) {
			if i := strings.IndexByte(r.s[from:r.i], ':'); i > 0 { // its closing quote is missing
				r.mended = true
				r.i = from + i
				return strings.TrimSpace(r.s[from:r.i])
			}
		}
		return s
	}
	r.mended = true
	if c := r.s[r.i]; c == '{' || c == '[' {
		return ""
	}
	from := r.i
	for r.i++; r.i < len(r.s) && strings.IndexByte(":,}]{[=\n", r.s[r.i]) < 0; r.i++ {
	}
	return strings.Trim(r.s[from:r.i], " \t\r\"'`*_")
}

// skipSpace skips white space and comments.
func (r *reader) skipSpace() {
	for r.i < len(r.s) {
		rest := r.s[r.i:]
		switch c := rest[0]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			r.i++
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "# "), strings.HasPrefix(rest, "--"):
			r.skipInvalid(lineEnd(rest))
		case strings.HasPrefix(rest, "/*"):
			r.skipInvalid(commentEnd(rest))
		case strings.HasPrefix(rest, "..."):
			r.skipInvalid(3)
		case strings.HasPrefix(rest, "…"), strings.HasPrefix(rest, "\u00a0"), strings.HasPrefix(rest, "\u200b"), strings.HasPrefix(rest, "\ufeff"):
			r.skipInvalid(spaceLen(rest))
		default:
			return
		}
	}
}

func spaceLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

func commentEnd(s string) int {
	if i := strings.Index(s[2:], "*/"); i >= 0 {
		return i + 4
	}
	return len(s)
}
