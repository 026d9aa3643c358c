package gateway

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// guessed are rules that tell a secret by its looks or by words before it. What two
// texts come to without a break between them looks like chance too easily.
var guessed = []string{"random-token", "generic-api-key"}

// across takes out of the texts of a result what is a secret only where they are read
// one behind the other, as models and people read them: one that was cut where a
// text ends, and one whose name ends the text before.
func (m *masker) across(raw json.RawMessage) json.RawMessage {
	texts := textsIn(raw)
	if len(texts) < 2 {
		return raw
	}
	gone := make([][]cutOut, len(texts))
	m.lines(texts, gone)
	m.unbroken(texts, gone)
	changed := false
	for i, list := range gone {
		texts[i], changed = cutFrom(texts[i], list), changed || len(list) > 0
	}
	if !changed {
		return raw
	}
	return withTexts(raw, &texts)
}

// cutOut is a part of one text that is a secret, as bytes of it.
type cutOut struct {
	from, to int
	rule     string
}

// lines looks at the texts as those who read them get them: each on lines of its own.
func (m *masker) lines(texts []string, gone [][]cutOut) {
	if m.redactor == nil {
		return
	}
	all := joinTexts(texts, "\n")
	_, spans := m.redactor.Redact(all.text)
	for _, s := range spans {
		all.put(gone, s)
	}
}

// unbroken looks for what stands over an end of a text without a break.
func (m *masker) unbroken(texts []string, gone [][]cutOut) {
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
		if all.crosses(s) {
			all.put(gone, s)
		}
	}
}

// joined is texts one behind the other, of long ones what stands near their ends.
type joined struct {
	text   string
	pieces []piece
}

// piece is a part of a text, and where it begins among all.
type piece struct {
	of, from    int // the text, and the byte of it
	start, size int
}

// nearEnd is how much of the end of a text is read together with its neighbour, in
// bytes: more than a private key has. What lies deeper is masked in its own text.
const nearEnd = 8 << 10

func joinTexts(texts []string, between string) joined {
	var j joined
	var b strings.Builder
	add := func(of, from int, part string) {
		if n := len(j.pieces); n > 0 && j.pieces[n-1].of == of {
			b.WriteByte('\n') // what stood between is left out
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
		for _, mark := range []string{"\n", " "} { // half a word looks like chance
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

// at is the last piece that begins at a byte or before it.
func (j joined) at(offset int) int {
	return sort.Search(len(j.pieces), func(i int) bool { return j.pieces[i].start > offset }) - 1
}

// crosses reports whether a part goes from one text to another.
func (j joined) crosses(s redact.Span) bool {
	return j.pieces[j.at(s.Start)].of != j.pieces[j.at(s.End-1)].of
}

// put notes a secret for each text that has a part of it.
func (j joined) put(gone [][]cutOut, s redact.Span) {
	for i := j.at(s.Start); i < len(j.pieces) && j.pieces[i].start < s.End; i++ {
		p := j.pieces[i]
		from, to := max(s.Start-p.start, 0), min(s.End-p.start, p.size)
		if from < to {
			gone[p.of] = append(gone[p.of], cutOut{p.from + from, p.from + to, s.Rule})
		}
	}
}

// cutFrom is a text with marks in the place of parts of it.
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

// textLists are the members of a result that hold texts to be read in turn: of a
// tool, of a resource, of a prompt.
var textLists = []string{"content", "contents", "messages"}

// textHolders are what a text may stand in, in an element of such a list.
var textHolders = []string{"resource", "content"}

// textsIn are the texts of a result, in their order; none where it has one at most.
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

// withTexts is a result with other texts in the place of its own, taken from the
// front.
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
			break // the first of a name is the one that was read
		}
	}
	return rawjson.Join(members)
}

// eachText gives the text of an element of a list to fn, and the element with what
// that gives.
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
