package answer

import (
	"cmp"
	"slices"
	"strings"
)

// readingOrder returns the chosen units in the order of reading: documents in the order in which they
// were first chosen from, and the units of a document as they follow there.
func (c *chooser) readingOrder() []int {
	all := slices.Clone(c.choice.units)
	for at := range c.choice.along {
		all = append(all, at)
	}
	first := map[string]int{}
	for i, at := range c.choice.units {
		uri := c.passages[c.units[at].passage].URI
		if _, ok := first[uri]; !ok {
			first[uri] = i
		}
	}
	slices.SortFunc(all, func(a, b int) int {
		p, q := &c.passages[c.units[a].passage], &c.passages[c.units[b].passage]
		return cmp.Or(first[p.URI]-first[q.URI], p.Start+c.units[a].start-q.Start-c.units[b].start, a-b)
	})
	return all
}

// joinUnits returns a text of the units that reads as one, and a citation for each.
func (c *chooser) joinUnits(list []int) (string, []Citation) {
	var b strings.Builder
	cited := make([]Citation, len(list))
	for i, at := range list {
		u := &c.units[at]
		p := &c.passages[u.passage]
		quote := p.Text[u.start:u.end]
		place := u.documentSpan(p)
		cited[i] = Citation{ID: p.ID, URI: p.URI, Version: p.Version, Quote: quote, Start: place.start, End: place.end}
		if i > 0 && c.goesOn(list[i-1], at) { // code that was cut becomes one block again
			before := cited[i-1]
			text, fence := cutFence(b.String())
			b.Reset()
			b.WriteString(text + p.Text[before.End-p.Start:u.start] + quote + "\n" + fence)
			continue
		}
		if i > 0 {
			b.WriteString(c.separatorOf(list[i-1], at))
		}
		b.WriteString(renderQuote(u, quote))
		if u.kind == row && slices.ContainsFunc(list[i+1:min(i+2, len(list))], func(next int) bool { return c.units[next].head == at }) {
			b.WriteString("\n" + tableRule(quote))
		}
	}
	return b.String(), cited
}

// goesOn reports whether code continues code of the same block with nothing left out.
func (c *chooser) goesOn(before, at int) bool {
	u, v := &c.units[before], &c.units[at]
	return u.kind == code && v.kind == code && u.passage == v.passage && u.block == v.block && at == before+1 &&
		!strings.Contains(c.passages[v.passage].Text[u.start:v.end], "```")
}

// cutFence returns a text without the fence at its end, and the fence.
func cutFence(text string) (string, string) {
	at := strings.LastIndexByte(text, '\n')
	return text[:at], text[at+1:]
}

// separatorOf returns the separator of two units.
func (c *chooser) separatorOf(before, at int) string {
	u, v := &c.units[before], &c.units[at]
	switch {
	case u.passage != v.passage || u.kind != v.kind || u.kind == code:
		return "\n\n"
	case u.kind == row || u.kind == item && v.place != u.place+1:
		return "\n"
	case u.kind == item:
		if text := c.passages[v.passage].Text[v.start:v.end]; markerLength(text) > 0 {
			return "\n"
		}
		return " "
	case u.block == v.block:
		return " "
	}
	return "\n\n"
}

// renderQuote returns a quote as it is shown: prose on one line, code between fences, a heading in bold,
// since its level depends on its document.
func renderQuote(u *unit, quote string) string {
	if u.kind == heading {
		return "**" + strings.Trim(flattenText(stripTags(quote)), "# =-*") + "**"
	}
	if u.kind != code {
		return flattenText(quote)
	}
	fence := "```"
	for strings.Contains(quote, fence) {
		fence += "`"
	}
	return fence + "\n" + quote + "\n" + fence
}

// flattenText returns a text on one line, without the marks of a quote at the beginning of its lines.
func flattenText(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(line, " \t>"))
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// tableRule returns the line below the names of columns.
func tableRule(names string) string {
	n := strings.Count(strings.Trim(strings.TrimSpace(names), "|"), "|") + 1
	return "|" + strings.Repeat(" --- |", n)
}
