package gateway

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// guessed are rules that recognize a secret by its form or by the words before it. Two texts joined without a break
// match them by chance too easily.
var guessed = []string{"random-token", "generic-api-key"}

// maskAcross masks secrets that only become visible when the texts of a result are read one after the other, as models and
// people do: a secret cut at the end of a text, or one whose name ends the text before.
func (m *masker) maskAcross(raw json.RawMessage) json.RawMessage {
	texts := textsIn(raw)
	if len(texts) < 2 {
		return raw
	}
	gone := make([][]cutOut, len(texts))
	m.markLines(texts, gone)
	m.markUnbroken(texts, gone)
	changed := false
	for i, list := range gone {
		texts[i], changed = cutFrom(texts[i], list), changed || len(list) > 0
	}
	if !changed {
		return raw
	}
	return withTexts(raw, &texts)
}

// cutOut is a part of a text that is a secret, in bytes.
type cutOut struct {
	from, to int
	rule     string
}

// markLines searches the texts as readers see them: each on lines of its own.
func (m *masker) markLines(texts []string, gone [][]cutOut) {
	if m.redactor == nil {
		return
	}
	all := joinTexts(texts, "\n")
	_, spans := m.redactor.Redact(all.text)
	for _, s := range spans {
		all.addCuts(gone, s)
	}
}

// markUnbroken searches for secrets that span the end of a text without a break.
func (m *masker) markUnbroken(texts []string, gone [][]cutOut) {
	all := joinTexts(texts, "")
	var spans []redact.Span
	if m.redactor != nil {
		_, spans = m.redactor.Redact(all.text)
		spans = slices.DeleteFunc(spans, func(s redact.Span) bool { return slices.Contains(guessed, s.Rule) })
	}
	for _, x := range m.secrets {
		for at := 0; x.value != ""; {
			i := strings.Index(all.text[at:], x.value)
			if i < 0 {
				break
			}
			spans = append(spans, redact.Span{Rule: x.name, Start: at + i, End: at + i + len(x.value)})
			at += i + len(x.value)
		}
	}
	for _, s := range spans {
		if all.crossesTexts(s) {
			all.addCuts(gone, s)
		}
	}
}

// joined is texts joined in order; of long ones only the parts near their ends.
type joined struct {
	text   string
	pieces []piece
}

// piece is a part of a text, and its position in the joined text.
type piece struct {
	of, from    int // the text's index, and the offset in it
	start, size int
}

// nearEnd is how many bytes at each end of a text are searched together with its neighbor: more than a private key has.
// Anything deeper is masked within its own text.
const nearEnd = 8 << 10

func joinTexts(texts []string, between string) joined {
	var j joined
	var b strings.Builder
	add := func(of, from int, part string) {
		if n := len(j.pieces); n > 0 && j.pieces[n-1].of == of {
			b.WriteByte('\n') // the middle is left out
		} else if n > 0 {
			b.WriteString(between)
		}
		j.pieces = append(j.pieces, piece{of, from, b.Len(), len(part)})
		b.WriteString(part)
	}
	for i, t := range texts {
		if len(t) <= 2*nearEnd {
			add(i, 0, t)
			continue
		}
		head, tail := t[:nearEnd], t[len(t)-nearEnd:]
		for _, mark := range []string{"\n", " "} { // half a word looks random
			if at := strings.LastIndex(head, mark); at >= 0 {
				head = head[:at]
				break
			}
		}
		for _, mark := range []string{"\n", " "} {
			if at := strings.Index(tail, mark); at >= 0 {
				tail = tail[at+1:]
				break
			}
		}
		add(i, 0, head)
		add(i, len(t)-len(tail), tail)
	}
	j.text = b.String()
	return j
}

// pieceAt returns the index of the last piece that begins at or before offset.
func (j joined) pieceAt(offset int) int {
	return sort.Search(len(j.pieces), func(i int) bool { return j.pieces[i].start > offset }) - 1
}

// crossesTexts reports whether a span goes from one text to another.
func (j joined) crossesTexts(s redact.Span) bool {
	return j.pieces[j.pieceAt(s.Start)].of != j.pieces[j.pieceAt(s.End-1)].of
}

// addCuts records a secret for each text that contains a part of it.
func (j joined) addCuts(gone [][]cutOut, s redact.Span) {
	for i := j.pieceAt(s.Start); i < len(j.pieces) && j.pieces[i].start < s.End; i++ {
		p := j.pieces[i]
		from, to := max(s.Start-p.start, 0), min(s.End-p.start, p.size)
		if from < to {
			gone[p.of] = append(gone[p.of], cutOut{p.from + from, p.from + to, s.Rule})
		}
	}
}

// cutFrom replaces parts of a text with marks.
func cutFrom(text string, list []cutOut) string {
	slices.SortFunc(list, func(a, b cutOut) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, c := range list {
		if c.to <= at {
			continue
		}
		if c.from >= at {
			b.WriteString(text[at:c.from] + "[REDACTED:" + c.rule + "]" + strings.Repeat("\n", strings.Count(text[c.from:c.to], "\n")))
		}
		at = c.to
	}
	return b.String() + text[at:]
}

// textLists are the members of a result that hold texts read in sequence: of a tool, of a resource, of a prompt.
var textLists = []string{"content", "contents", "messages"}

// textHolders are the members that may hold the text in an element of such a list.
var textHolders = []string{"resource", "content"}

// textsIn returns the texts of a result in order, or nil if its lists have fewer than two elements.
func textsIn(raw json.RawMessage) (texts []string) {
	var items []json.RawMessage
	for _, name := range textLists {
		more, _ := rawjson.Items(rawjson.Get(raw, name))
		items = append(items, more...)
	}
	if len(items) < 2 {
		return nil
	}
	for _, item := range items {
		eachText(item, func(text string) string {
			texts = append(texts, text)
			return text
		})
	}
	return texts
}

// withTexts returns the result with its texts replaced in order by those at the front of texts, which it removes there.
func withTexts(raw json.RawMessage, texts *[]string) json.RawMessage {
	members, _ := rawjson.Members(raw)
	for _, name := range textLists {
		for i, m := range members {
			if m.Name != name {
				continue
			}
			items, err := rawjson.Items(m.Value)
			if err != nil {
				continue
			}
			out := []byte{'['}
			for k, item := range items {
				if k > 0 {
					out = append(out, ',')
				}
				out = append(out, eachText(item, func(string) string {
					next := (*texts)[0]
					*texts = (*texts)[1:]
					return next
				})...)
			}
			members[i].Value = append(out, ']')
			break // the first member of a name is the one that was read
		}
	}
	return rawjson.Join(members)
}

// eachText passes the text of a list element to fn and returns the element with fn's result.
func eachText(item json.RawMessage, fn func(string) string) json.RawMessage {
	members, err := rawjson.Members(item)
	if err != nil {
		return item
	}
	for i, m := range members {
		if m.Name == "text" && rawjson.Of(m.Value) == rawjson.String {
			if was, err := rawjson.Text(m.Value); err == nil {
				if text := fn(was); text != was {
					members[i].Value = rawjson.Quote(text)
					return rawjson.Join(members)
				}
			}
			return item
		}
	}
	for i, m := range members {
		if slices.Contains(textHolders, m.Name) && rawjson.Of(m.Value) == rawjson.Object {
			if out := eachText(m.Value, fn); string(out) != string(m.Value) {
				members[i].Value = out
				return rawjson.Join(members)
			}
			return item
		}
	}
	return item
}
