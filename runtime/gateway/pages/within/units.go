package within

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Sizes in bytes.
const (
	wholeRecord = 1500 // JSON up to this size is one unit; larger values are taken apart
	maxLine     = 2000 // of a text: a longer one is several units
	aroundLine  = 300  // of a context line that is shown
	aroundWord  = 600  // of a long unit, around its match
)

// unit is a piece of the source that can match: a line, or a record.
type unit struct {
	text  []byte
	where string // path of a record; "" for a line of the source's text
	path  func() string
	line  int // number of a line, in the text or in the string at the path
	at    int // where a line of the text begins
}

// detachUnit returns a unit that outlives the walk, cut around its match.
func (u unit) detachUnit(q *query) unit {
	if u.path != nil {
		u.where, u.path = u.path(), nil
	}
	if len(u.text) > maxLine {
		u.text = excerpt(u.text, q)
	} else {
		u.text = bytes.Clone(u.text)
	}
	return u
}

// excerpt returns a long text around its first match.
func excerpt(text []byte, q *query) []byte {
	low, first := bytes.ToLower(text), len(text)
	for i, t := range q.terms {
		if at := bytes.Index(low, t); at >= 0 && q.weight[i] > 0 && at < first {
			first = at
		}
	}
	from := max(0, min(first, len(text))-aroundWord/2)
	to := min(len(text), from+aroundWord)
	out := strings.ToValidUTF8(string(text[from:to]), "")
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return []byte(out)
}

// eachUnit calls fn with each piece of the source.
func (s *Source) eachUnit(fn func(unit)) {
	if s.value == nil {
		s.textUnits(fn)
		return
	}
	s.eachRecord(fn)
}

// textUnits calls fn with each line of the text.
func (s *Source) textUnits(fn func(unit)) {
	data := []byte(s.text)
	eachLine(data, func(line []byte, n, at int) { fn(unit{text: line, line: n, at: at}) })
}

// eachLine calls fn with the lines of a text, long ones in pieces.
func eachLine(data []byte, fn func(line []byte, n, at int)) {
	for n, at := 1, 0; at < len(data); n++ {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at
		}
		line := data[at : at+end]
		for from := 0; from == 0 || from < len(line); {
			to := len(line)
			if to-from > maxLine {
				to = from + maxLine
				if space := bytes.LastIndexByte(line[from:to], ' '); space > maxLine/2 {
					to = from + space
				}
			}
			fn(line[from:to], n, at)
			if from = to; to == 0 {
				break
			}
		}
		at += end + 1
	}
}

// eachRecord calls fn with each record of the value: small values as a whole, otherwise their members. A long string is
// read as lines.
func (s *Source) eachRecord(fn func(unit)) {
	w := walker{data: s.value}
	var pending []pendingUnit
	give := func(p pendingUnit) {
		raw := s.value[p.start:p.end]
		path := func() string { return "$" + w.pathAt(p.depth, p.last) }
		if rawjson.Of(raw) == rawjson.String && len(raw) > wholeRecord {
			text, _ := rawjson.Text(raw)
			eachLine([]byte(text), func(line []byte, n, at int) { fn(unit{text: line, path: path, line: n, at: open}) })
			return
		}
		fn(unit{text: raw, path: path})
	}
	w.walk(func(start, end int) bool {
		for len(pending) > 0 && end-pending[0].start > wholeRecord && pending[0].start < start {
			give(pending[0])
			pending = pending[1:]
		}
		if bracket := s.value[end-1] == '}' || s.value[end-1] == ']'; bracket {
			if end-start > wholeRecord { // its members stand for themselves
				for _, p := range pending {
					give(p)
				}
				pending = pending[:0]
				return true
			}
			for len(pending) > 0 && pending[len(pending)-1].start >= start {
				pending = pending[:len(pending)-1]
			}
		}
		pending = append(pending, pendingUnit{start, end, len(w.frames), w.top()})
		return true
	})
	for _, p := range pending {
		give(p)
	}
}

// pendingUnit is a value that may be part of a small one around it.
type pendingUnit struct {
	start, end int
	depth      int   // number of brackets around it
	last       frame // a copy of the innermost one at that time
}

// contextRows returns a hit with its context lines.
func (h hit) contextRows(s *Source) []row {
	text := strings.TrimSpace(string(h.text))
	switch {
	case h.where != "" && h.line > 0:
		return []row{{0, h.order, fmt.Sprintf("%s line %d: %s", h.where, h.line, text)}}
	case h.where != "":
		return []row{{0, h.order, h.where + ": " + string(rawjson.Line([]byte(text)))}}
	}
	out, n := s.linesBefore(h.at, h.line)
	for i := range out {
		out[i] = row{n + i, 0, fmt.Sprintf("%d- %s", n+i, out[i].text)}
	}
	out = append(out, row{h.line, h.order, fmt.Sprintf("%d: %s", h.line, strings.TrimRight(string(h.text), "\r"))})
	rest := s.text[h.at:]
	for i := 1; i <= context; i++ {
		end := strings.IndexByte(rest, '\n')
		if end < 0 || end+1 >= len(rest) {
			break
		}
		rest = rest[end+1:]
		line, _, _ := strings.Cut(rest[:min(len(rest), aroundLine)], "\n")
		out = append(out, row{h.line + i, 0, fmt.Sprintf("%d- %s", h.line+i, tidy(line))})
	}
	return out
}

// tidy cleans a line, or a part cut from one.
func tidy(line string) string { return strings.ToValidUTF8(strings.TrimRight(line, "\r"), "") }

// linesBefore returns the lines before one, and the number of the first of them.
func (s *Source) linesBefore(at, line int) (out []row, n int) {
	for range min(context, line-1) {
		end := at - 1
		at = strings.LastIndexByte(s.text[:end], '\n') + 1
		text := s.text[at:end]
		out = append([]row{{text: tidy(text[:min(len(text), aroundLine)])}}, out...)
	}
	return out, line - len(out)
}
