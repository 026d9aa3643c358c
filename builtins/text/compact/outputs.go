package compact

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// output is one of several concatenated outputs or files, each of its own kind.
type output struct {
	head    string // the line that names it, or else its kind and length
	text    string
	name    string // shown in place of it if it is left out
	lines   int
	counted bool // its head gives the number of lines
	fault   bool

	document *Document // of text
}

// Limits on splitting.
const (
	maxOutputs   = 200
	minOutput    = 240 // bytes of a summary for an output; if there is not enough for all, the others are only named
	minPart      = 100 // for the last one, if less is left
	maxHead      = 120 // bytes
	minDocument  = 400 // bytes of JSON inside a text that is read as an output
	maxDocuments = 8
	maxUnread    = 8 // texts that look like JSON at first but are not, before the search ends
)

// headOf returns the sort of a line that begins an output, or 0: the header of head and tail for several files, of
// txtar, the command that a shell echoes, or a path with a colon after a rule, as file servers send several files.
func headOf(line, before string, first bool) byte {
	switch {
	case len(line) < 3 || len(line) > 2*maxHead:
	case strings.HasPrefix(line, "==> ") && strings.HasSuffix(line, " <=="):
		return '='
	case strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") && strings.Count(line, " ") == 2 && strings.ContainsAny(line, "./"):
		return '-'
	case strings.HasPrefix(line, "$ ") && (isAlnum(line[2]) && !isDigit(line[2]) || strings.IndexByte("./_", line[2]) >= 0) && !(strings.Count(line, " ") > 3 && plainWords(line[2:])):
		return '$'
	case line[len(line)-1] == ':' && (first || before == "---") && isPath(line[:len(line)-1]):
		return ':'
	}
	return 0
}

// splitOutputs returns the outputs that a text of a kind consists of; at most one if it is a single output.
func splitOutputs(text string, kind Kind) []output {
	if all := splitAtHeads(text, kind); len(all) > 1 {
		return all
	}
	if len(text) > partedBytes {
		return nil
	}
	if all := splitAtJSON(text); len(all) > 1 {
		return all
	}
	if all := splitAtKeys(text, kind); len(all) > 1 {
		return all
	}
	return splitBehindLog(text)
}

// splitBehindLog splits a text in which the first lines have times and no later line has one.
func splitBehindLog(text string) []output {
	at, n := 0, 0
	for at < len(text) && isStamped(text[at:endOfLine(text, at)]) {
		at, n = min(len(text), endOfLine(text, at)+1), n+1
	}
	if n < minRepeated || len(text)-at < minDocument {
		return nil
	}
	for line := range strings.SplitSeq(text[at:], "\n") {
		if isStamped(line) {
			return nil
		}
	}
	return []output{{text: strings.Trim(text[:at], "\n")}, {text: strings.Trim(text[at:], "\n")}}
}

// splitAtKeys splits YAML, TOML and INI where an outermost key or section occurs again without a marker of a new
// document before it: another file begins there.
func splitAtKeys(text string, kind Kind) []output {
	if kind != YAML && kind != INI || strings.Contains(text, "\n---") || layoutOf(YAML, cut(text, looked)) != nil {
		return nil
	}
	var out []output
	seen := map[string]bool{}
	from, first, open := 0, "", ""
	eachIndent(text, func(i, indent int) bool {
		line := strings.TrimRight(text[i:endOfLine(text, i)], " \r")
		if open != "" { // inside a text of several lines
			if strings.Contains(line, open) {
				open = ""
			}
			return true
		}
		key, value, _ := splitKey(line)
		if kind == INI {
			key = sectionOf(line)
			_, value, _ = splitSetting(line)
		}
		open = opensText(value)
		if indent > 0 || line[0] == '\t' || isItem(line) || key == "" || !plainKey(key) {
			return true
		}
		if first == "" {
			if first = key; first[0] == '[' { // a list in TOML
				return false
			}
		}
		if seen[key] && (kind == YAML || key == first) { // other repeated sections are a list
			out = appendOutput(out, "", text[from:i])
			from = i
			clear(seen)
		}
		seen[key] = true
		return len(out) < maxOutputs
	})
	if len(out) == 0 {
		return nil
	}
	return appendOutput(out, "", text[from:])
}

// opensText returns the quotation mark that a value opens and does not close.
func opensText(value string) string {
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if rest, ok := strings.CutPrefix(value, q); ok {
			if strings.Contains(rest, q) {
				return ""
			}
			return q
		}
	}
	return ""
}

// splitAtHeads splits a text at the lines that begin outputs, all of the same sort as the first such line.
func splitAtHeads(text string, kind Kind) []output {
	var out []output
	sort, before, heads := byte(0), "", 0
	from, head := 0, ""
	for i := 0; i < len(text); {
		end := endOfLine(text, i)
		line := strings.TrimRight(text[i:end], " \r")
		if strings.HasPrefix(line, "```") && (sort == 0 || sort == '$') { // a page that quotes commands
			return nil
		}
		if s := headOf(line, before, i == 0); s != 0 && (sort == 0 || s == sort) {
			sort = s
			if heads++; heads > maxOutputs {
				return nil
			}
			out = appendOutput(out, head, text[from:i])
			from, head = min(len(text), end+1), line
		}
		if sort == 0 && i > looked {
			return nil
		}
		before = line
		i = end + 1
	}
	if heads < 2 || sort == '$' && out[0].head == "" && (isWhole(kind) || isWhole(Detect(out[0].text))) {
		return nil
	}
	return appendOutput(out, head, text[from:])
}

// isWhole reports whether a text of a kind is one output even if lines in it look like others: tests print commands;
// pages, logs and sources quote commands and JSON.
func isWhole(kind Kind) bool {
	switch kind {
	case Log, Tests, Compiler, Trace, Diff, Hits, Source, Markdown:
		return true
	}
	return false
}

// appendOutput appends an output unless it is empty; the rule before the name of the next file is dropped.
func appendOutput(out []output, head, text string) []output {
	text = strings.Trim(text, "\n")
	if strings.HasSuffix(head, ":") {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "---"), "\n")
	}
	if head == "" && strings.TrimSpace(text) == "" {
		return out
	}
	return append(out, output{head: head, text: text})
}

// splitAtJSON splits a text that has JSON of several lines, or an HTML page, among other text.
func splitAtJSON(text string) []output {
	if looksLikeJSONText(text) && json.Valid([]byte(text)) { // the usual case: a single document
		return nil
	}
	docs := documentsIn(text)
	if len(docs) == 0 || len(docs) > maxDocuments {
		return nil
	}
	size := 0
	for _, d := range docs {
		size += d.to - d.from
	}
	if size*4 < len(text) || len(docs) == 1 && docs[0].from == 0 && len(text)-size < minDocument {
		return nil // for few lines after one document, see shortenAside
	}
	if t := withoutSpans(text, docs); strings.Contains(t, "```") || strings.Count(t, "\n") > fewParts && isWhole(Detect(t)) {
		return nil
	}
	var out []output
	last := 0
	for _, d := range docs {
		between := strings.TrimSpace(text[last:d.from])
		head := ""
		if strings.Count(between, "\n") == 0 && len(between) <= maxHead && (last == 0 || strings.HasSuffix(between, ":") || isPath(between)) {
			head, between = between, ""
		}
		out = append(appendOutput(out, "", between), output{head: head, text: text[d.from:d.to]})
		last = d.to
	}
	return appendOutput(out, "", text[last:])
}

// documentsIn returns the spans of multi-line JSON and pages in a text. Consecutive values are one document, like a
// stream of records, unless they are large and begin with different keys: those are different files.
func documentsIn(text string) []span {
	var out []span
	data := []byte(text)
	first, unread, pages := "", 0, true
	for i := 0; i < len(text) && unread < maxUnread; {
		end := endOfLine(text, i)
		if pages && beginsPage(text[i:]) {
			n := endOfPage(text[i:])
			out, first, pages = append(out, span{i, i + n}), "", n > 0
			i += n
			continue
		}
		if c := text[i]; c != '{' && c != '[' || !looksLikeJSON(cut(text[i:], looked)) {
			i = end + 1
			continue
		}
		n, key := beginningOfJSON(data[i:])
		to := i + n
		if strings.TrimSpace(text[to:endOfLine(text, to)]) != "" || !json.Valid(data[i:to]) {
			unread++
			i = end + 1
			continue
		}
		n = len(out)
		large := to-i >= minDocument && to > end
		if n > 0 && strings.TrimSpace(text[out[n-1].to:i]) == "" && !(large && key != first) {
			out[n-1].to = to
		} else {
			out = append(out, span{i, to})
		}
		if large || first == "" {
			first = key
		}
		i = to + 1
	}
	return slices.DeleteFunc(out, func(s span) bool {
		return text[s.from] != '<' && s.to-s.from < minDocument || strings.IndexByte(text[s.from:s.to], '\n') < 0
	})
}

// beginningOfJSON returns the length of the value that a text begins with, by its brackets, or 0 if it does not end,
// and its bracket with its first name.
func beginningOfJSON(data []byte) (n int, key string) {
	scanner := rawjson.Scan(data)
	for {
		t, ok := scanner.Next()
		switch {
		case !ok: // it does not end
			return 0, ""
		case t.Start == 0, key == "{" && t.Name:
			key += string(data[t.Start:t.End])
		}
		if scanner.Depth() == 0 {
			return t.End, key
		}
	}
}

func beginsPage(text string) bool {
	return text[0] == '<' && hasPrefix(strings.ToLower(cut(text, 20)), "<!doctype html", "<html")
}

// endOfPage returns where the page that a text begins with ends, or 0.
func endOfPage(text string) int {
	for _, end := range []string{"</html>", "</HTML>"} {
		if i := strings.Index(text, end); i > 0 {
			return i + len(end)
		}
	}
	return 0
}

// endOfLine returns where the line at i ends.
func endOfLine(text string, i int) int {
	if k := strings.IndexByte(text[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(text)
}

// shortenOutputs shortens each output by its kind. Without room for all, those that the subject names or that report a
// fault come first, then the first ones; the others are named, or counted if their names need the room of one.
func shortenOutputs(all []output, o Options) Summary {
	order, names := rankOutputs(all, readSubject(o.Subject))
	parts, named := serveOutputs(all, order, o, o.Bytes-names, func(*output) int { return 1 }), true
	if len(parts) < len(all) {
		if more := serveOutputs(all, order, o, o.Bytes-len(someOthers), func(p *output) int { return len(p.head) + len(someOthers) + 1 }); len(more) > len(parts) {
			parts, named = more, false
		}
	}
	if len(parts) == 0 {
		return Summary{}
	}
	for i := range all {
		if _, shown := parts[i]; !shown && all[i].fault { // lines of the whole text tell more
			return Summary{}
		}
	}
	var b strings.Builder
	var out Summary
	most, skipped := 0, 0
	for i, p := range all {
		out.Units += p.lines
		part, shown := parts[i]
		if !shown {
			if named {
				b.WriteString(p.name + "\n")
			} else {
				skipped++
			}
			continue
		}
		if skipped > 0 {
			b.WriteString(note("%v others", skipped) + "\n")
			skipped = 0
		}
		b.WriteString(p.head + "\n")
		if part.Text != "" {
			b.WriteString(strings.TrimSuffix(part.Text, "\n") + "\n")
		}
		if most < len(p.text) {
			out.Kind, most = part.Kind, len(p.text)
		}
		if part.Whole || part.Units == 0 {
			out.Kept += p.lines
		} else {
			out.Kept += p.lines * part.Kept / part.Units
		}
	}
	if skipped > 0 {
		b.WriteString(note("%v others", skipped))
	}
	out.Text = strings.TrimSuffix(b.String(), "\n")
	return out
}

// rankOutputs completes the outputs, and returns them in order of worth and the bytes that naming all of them takes.
func rankOutputs(all []output, subject subject) (order []int, names int) {
	worth := make([]float64, len(all))
	for i := range all {
		p := &all[i]
		p.lines = strings.Count(p.text, "\n") + 1
		p.name = clipMiddle(p.head, maxHead)
		if p.counted = p.head == ""; p.counted { // named by its first line
			first, rest, _ := strings.Cut(p.text, "\n")
			p.head = nameOf(Detect(p.text)) + " [" + strings.TrimPrefix(note("%v lines", p.lines), "[… ")
			if p.name = clipMiddle(first, maxHead/3); rest != "" {
				p.name += " " + note("%v lines", p.lines-1)
			}
		} else if p.text != "" {
			p.name += " " + note("%v lines", p.lines)
		}
		names += max(len(p.name), len(p.head)) + 1
		order = append(order, i)
		text := cut(p.text, looked)
		worth[i] = float64(len(subject.wordsOf(p.head))) + min(1, float64(len(subject.wordsOf(text))))
		if tellsError(text) || tellsError(p.text[max(0, len(p.text)-looked):]) { // a log ends with what went wrong
			worth[i]++
			switch Detect(p.text) {
			case Log, Tests, Compiler, Trace:
				p.fault = true
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return order, names
}

// nameOf returns the name for the text of a kind.
func nameOf(kind Kind) string {
	if kind == Prose {
		return "text"
	}
	return string(kind)
}

// serveOutputs shortens outputs in order of worth: minOutput bytes each as long as there is room. If all get that,
// they share the rest: an output of n bytes has a share of n^sectionSize. So no output gets less when there is more
// room. beside returns the extra cost of an output.
func serveOutputs(all []output, order []int, o Options, bytes int, beside func(*output) int) map[int]Summary {
	shorten := func(p *output, bytes int) Summary {
		return p.document.Shorten(Options{Bytes: bytes, Subject: o.Subject, Dense: o.Dense, counted: p.counted})
	}
	out := map[int]Summary{}
	least := func(i int) int { return min(len(all[i].text), minOutput) }
	left := bytes
	for _, i := range order {
		left -= least(i) + beside(&all[i])
	}
	if left < 0 {
		left = bytes
		for _, i := range order {
			p := &all[i]
			if left -= beside(p); left < least(i) {
				if left >= minPart {
					out[i] = shorten(p, left)
				}
				break
			}
			out[i] = shorten(p, minOutput)
			left -= len(out[i].Text)
		}
		return out
	}
	order = slices.SortedStableFunc(slices.Values(order), func(a, b int) int { return cmp.Compare(len(all[a].text), len(all[b].text)) })
	share := func(i int) float64 { return math.Pow(float64(len(all[i].text)), sectionSize) }
	sum := 0.0
	for _, i := range order {
		sum += share(i)
	}
	for _, i := range order {
		more := min(len(all[i].text)-least(i), int(float64(left)*share(i)/max(sum, 1)))
		out[i] = shorten(&all[i], least(i)+more)
		left -= more
		sum -= share(i)
	}
	return out
}

const someOthers = "[… 9,999 others]\n"
