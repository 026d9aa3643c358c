package compact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Events are lines, or records, of a log with named levels and messages: JSON lines (pino, zap, structlog, bunyan,
// journals), logfmt, and web server requests.

// severity is the rank of a level.
type severity int

const (
	unleveled severity = iota
	debugging
	informing
	warning
	failing
	ending
)

// worthOfSeverity is the worth of an event by its level.
var worthOfSeverity = [...]float64{unleveled: 1, debugging: .5, informing: 1, warning: 3, failing: 6, ending: 7}

// event is a parsed line or record of a log.
type event struct {
	line    string // as it was written, if it is shown that way
	level   string
	word    string // the meaning of a numeric level
	time    string
	message string
	fields  []member // all other fields, in order
	rank    severity
	request bool // of a web server: its level is a status
}

// Names of the members of an event.
var (
	messageNames = setOf("msg message event MESSAGE @mt @m textPayload short_message log jsonPayload.message body.message")
	levelNames   = setOf("level lvl severity log.level @l PRIORITY levelname loglevel log_level level_name")
	timeNames    = setOf("time ts timestamp @timestamp @t t asctime eventTime datetime date __REALTIME_TIMESTAMP")
	causeWords   = setOf("error err message msg exception reason cause detail details code status")
)

const (
	minEvents    = 5
	maxOfFault   = 420 // bytes of a line that reports a fault
	maxOfEvent   = 220 // of any other line
	maxOfField   = 160
	maxAllFields = 12 // fields that all events share
)

// readEvents reads a text as events, or returns nil unless most lines are events.
func readEvents(text string) []event {
	if !mostlyEvents(cut(text, looked), len(text) > looked) {
		return nil
	}
	var out []event
	good := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		e, ok := eventOf(line)
		if ok {
			good++
		} else {
			e = event{line: line}
		}
		if e.rank == unleveled && (tellsError(e.message) || tellsError(e.line)) {
			e.rank = failing
		}
		out = append(out, e)
	}
	if good*2 < len(out) {
		return nil
	}
	return out
}

// mostlyEvents reports whether most of the first lines of a text are events.
func mostlyEvents(head string, part bool) bool {
	good, n := 0, 0
	lines := strings.Split(head, "\n")
	if part && len(lines) > 1 {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if _, ok := eventOf(line); ok {
			good++
		}
		if n++; n == 40 {
			break
		}
	}
	return n >= minEvents && good*10 >= n*6
}

// eventOf parses a line.
func eventOf(line string) (event, bool) {
	if i := strings.IndexByte(line, '{'); i >= 0 && i < 80 && line[len(line)-1] == '}' {
		r := &reader{s: line[i:], left: maxAhead * maxColumns}
		if v := r.value(0); !r.bad && !v.cut && v.kind == rawjson.Object {
			if e, ok := eventOfValue(&v); ok {
				if before := strings.TrimRight(line[:i], " |"); before != "" { // the container, or a time
					e.fields = append([]member{{text: before}}, e.fields...)
				}
				return e, true
			}
		}
	}
	if e, ok := requestOf(line); ok {
		return e, true
	}
	return eventOfPairs(line)
}

// eventOfValue parses a record.
func eventOfValue(v *value) (event, bool) {
	var e event
	for i := range v.kids {
		e.addMember(v.keys[i], &v.kids[i], 0)
	}
	return e, e.message != "" && (e.level != "" || e.time != "")
}

// addMember adds a member, and recursively the members of objects and lists.
func (e *event) addMember(path string, v *value, depth int) {
	switch {
	case v.kind == rawjson.Object && depth < 6:
		for i := range v.kids {
			e.addMember(joinPath(path, v.keys[i]), &v.kids[i], depth+1)
		}
	case v.kind == rawjson.Array && depth < 6:
		for i := range v.kids[:min(len(v.kids), 8)] {
			e.addMember(path, &v.kids[i], depth+1)
		}
	default:
		e.takeField(path, v.text)
	}
}

func (e *event) takeField(name, text string) {
	switch {
	case text == "":
	case e.level == "" && levelNames[name]:
		e.level = text
		e.rank, e.word = rankOf(name, text)
	case e.message == "" && messageNames[name]:
		e.message = oneLine(text)
	case e.time == "" && timeNames[name]:
		e.time = text
	case isStack(name, text):
		if at := ownFrames(text); at != "" {
			e.fields = append(e.fields, member{path: name, text: at})
		}
	default:
		e.fields = append(e.fields, member{path: name, text: oneLine(text)})
	}
}

// rankOf parses a level: a word, a number of pino and bunyan, or one of syslog.
func rankOf(name, text string) (severity, string) {
	if isDigit(text[0]) {
		if name == "PRIORITY" {
			return [...]severity{ending, ending, ending, failing, warning, informing, informing, debugging, unleveled}[min(text[0]-'0', 8)], ""
		}
		switch text {
		case "10", "20":
			return debugging, "debug"
		case "30":
			return informing, "info"
		case "40":
			return warning, "warn"
		case "50":
			return failing, "error"
		case "60":
			return ending, "fatal"
		}
		return unleveled, ""
	}
	low := strings.ToLower(text)
	switch {
	case hasPrefix(low, "fatal", "crit", "panic", "emerg", "alert", "dpanic"):
		return ending, ""
	case strings.HasPrefix(low, "err"), low == "e", low == "severe":
		return failing, ""
	case strings.HasPrefix(low, "warn"), low == "w":
		return warning, ""
	case hasPrefix(low, "info", "notice"), low == "i":
		return informing, ""
	case hasPrefix(low, "debug", "trace", "verbose"), low == "d":
		return debugging, ""
	}
	return unleveled, ""
}

// isStack reports whether a field is a stack trace.
func isStack(name, text string) bool {
	return strings.Count(text, "\n") > 1 && (strings.Contains(text, "\n    at ") || strings.Contains(text, "\n\t") || strings.Contains(text, "  File \"") ||
		strings.Contains(strings.ToLower(name), "stack"))
}

// ownFrames returns the first two frames of a stack that are not in a library.
func ownFrames(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		t := strings.TrimSpace(line)
		if len(out) < 2 && (tellsPlace(t) || strings.Contains(t, ".java:")) && !isLibrary(t) && !strings.Contains(t, "(node:") {
			out = append(out, cutMarked(t, 120))
		}
	}
	return strings.Join(out, " "+omission+" ")
}

// eventOfPairs parses logfmt: pairs of a name and a value with an equals sign between.
func eventOfPairs(line string) (event, bool) {
	var e event
	n := 0
	for rest := line; rest != ""; n++ {
		i := 0
		for i < len(rest) && (isAlnum(rest[i]) || strings.IndexByte("_.-/@", rest[i]) >= 0) {
			i++
		}
		if i == 0 || i >= len(rest) || rest[i] != '=' {
			return e, false
		}
		name := rest[:i]
		rest = rest[i+1:]
		text := ""
		if strings.HasPrefix(rest, `"`) {
			end := endOfString(rest, 0)
			if end >= len(rest) {
				return e, false
			}
			text, rest = unescape(rest[1:end]), rest[end+1:]
		} else if text, rest, _ = strings.Cut(rest, " "); text == "" {
			rest = strings.TrimLeft(rest, " ")
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		e.takeField(name, text)
	}
	return e, n >= 3 && e.message != "" && (e.level != "" || e.time != "")
}

// requestOf parses a line of a web server: "GET /path HTTP/1.1" and a status.
func requestOf(line string) (event, bool) {
	i := strings.Index(line, " HTTP/")
	if i < 0 {
		return event{}, false
	}
	from := strings.LastIndexByte(line[:i], '"') + 1
	end := strings.IndexByte(line[i:], '"')
	if from == 0 || end < 0 || len(line) < i+end+5 || !isUpper(line[from]) {
		return event{}, false
	}
	status := line[i+end+2 : i+end+5]
	if line[i+end+1] != ' ' || strings.Trim(status, "0123456789") != "" {
		return event{}, false
	}
	path, _, _ := strings.Cut(line[from:i], "?")
	e := event{line: squeeze(line), level: status, message: path, rank: informing, request: true}
	switch status[0] {
	case '5':
		e.rank = failing
	case '4':
		e.rank = warning
	}
	return e, true
}

// likeHash returns a hash that is equal for events that differ only in numbers.
func (e *event) likeHash() uint64 {
	if e.message == "" {
		return logTemplate(e.line)
	}
	h := templateHash(e.message)
	if len(e.message) > maxTemplate { // the end of a long one says how it ended
		h = (h ^ templateHash(lastField(e.message))) * fnvPrime
	}
	for _, c := range []byte(e.level) {
		h = (h ^ uint64(c)) * fnvPrime
	}
	if e.rank < warning {
		return h
	}
	for _, f := range e.fields {
		if parts := nameWords(f.path); len(parts) > 0 && causeWords[parts[len(parts)-1]] {
			h = (h ^ templateHash(f.text)) * fnvPrime
		}
	}
	return h
}

// alikeEvents are events that say the same.
type alikeEvents struct {
	events []*event
	worth  float64
	shown  []string // lines of the first events
}

// shortenEvents shortens a text whose lines are events of a program or of tests; the summary of any other is empty.
func (s *shortener) shortenEvents(kind Kind, text string, bytes int) Summary {
	switch kind {
	case JSON, Log:
		if t := readGoTests(text); t != nil {
			return s.shortenReport(t, bytes)
		}
		if events := readEvents(text); events != nil {
			return s.eventsText(events, bytes)
		}
	case Tests:
		if t := readJUnit(text); t != nil {
			return s.shortenReport(t, bytes)
		}
	}
	return Summary{}
}

// eventsText writes a line for each distinct event, failures first, with the number of similar ones.
func (s *shortener) eventsText(events []event, bytes int) Summary {
	groups := s.groupEvents(events)
	shared := sharedFields(events)
	head := s.headOfEvents(events, shared, bytes)
	left := bytes - len(head) - 1
	order := slices.Clone(groups)
	slices.SortStableFunc(order, func(a, b *alikeEvents) int { return cmp.Compare(b.worth, a.worth) })
	for _, most := range []int{160, maxOfEvent, maxOfFault} { // each one briefly before one at length
		for _, g := range order {
			e := g.events[0]
			if most > maxOfEvent && e.rank < warning || most > 160 && g.shown == nil {
				continue
			}
			text := e.text(shared, most)
			cost := len(text) + 1
			if g.shown == nil {
				cost += len(s.moreOf(g, 1)) + 1
			} else {
				cost -= len(g.shown[0]) + 1
			}
			if cost <= left {
				left -= cost
				g.shown = append(g.shown[:0], text)
			}
		}
	}
	for n := 1; n < 12; n++ { // and more of each
		for _, g := range order {
			if g.shown == nil || n >= len(g.events) || len(g.shown) < n {
				continue
			}
			e := g.events[n-1]
			if n == 1 {
				e = g.events[len(g.events)-1] // the last one shows how long it went on
			}
			text := e.text(shared, maxOfEvent)
			if len(text)+1 <= left {
				left -= len(text) + 1
				g.shown = append(g.shown, text)
			}
		}
	}
	return s.writeEvents(head, groups, len(events))
}

// writeEvents writes the groups, failures and warnings first, each in the order of its first event.
func (s *shortener) writeEvents(head string, groups []*alikeEvents, units int) Summary {
	lines := []string{head}
	left := 0
	for _, faults := range []bool{true, false} {
		for _, g := range groups {
			if (g.events[0].rank >= warning) != faults {
				continue
			}
			if g.shown == nil {
				left += len(g.events)
				continue
			}
			if len(g.shown) > 2 { // the last event was added second
				g.shown = append(append(g.shown[:1:1], g.shown[2:]...), g.shown[1])
			}
			if more := s.moreOf(g, len(g.shown)); more != "" {
				g.shown[0] += " " + more
			}
			lines = append(lines, g.shown...)
		}
	}
	return Summary{Text: strings.Join(lines, "\n"), Units: units, Kept: units - left, Kind: Log}
}

// moreOf returns a note with the number of events of a group that are not shown.
func (s *shortener) moreOf(g *alikeEvents, shown int) string {
	if n := len(g.events) - shown; n > 0 {
		return s.noteLike(n, len(g.events))
	}
	return ""
}

// groupEvents groups events that say the same, in the order of the first.
func (s *shortener) groupEvents(events []event) []*alikeEvents {
	at := newNumbers(len(events) / 8)
	var out []*alikeEvents
	for i := range events {
		e := &events[i]
		k, fresh := at.ofHash(e.likeHash() | 1)
		if fresh {
			g := &alikeEvents{worth: worthOfSeverity[e.rank]}
			hits := len(s.subject.wordsOf(e.message)) + len(s.subject.wordsOf(e.line))
			for _, f := range e.fields {
				hits += len(s.subject.wordsOf(f.text))
			}
			g.worth += min(3, 1.5*float64(hits))
			out = append(out, g)
		}
		out[k].events = append(out[k].events, e)
	}
	for _, g := range out {
		if len(g.events) == 1 {
			g.worth += rareLine
		}
	}
	return out
}

// sharedFields returns the fields that have the same value in all events, by name.
func sharedFields(events []event) map[string]string {
	out := map[string]string{}
	for i := range events {
		if events[i].message == "" || events[i].line != "" {
			continue
		}
		for _, f := range events[i].fields {
			out[f.path] = f.text
		}
		break
	}
	for i := range events {
		e := &events[i]
		if e.message == "" || len(out) == 0 {
			continue
		}
		same := 0
		for _, f := range e.fields {
			if text, ok := out[f.path]; ok && text == f.text {
				same++
			} else if ok {
				delete(out, f.path)
			}
		}
		if same < len(out) {
			have := map[string]bool{}
			for _, f := range e.fields {
				have[f.path] = true
			}
			for name := range out {
				if !have[name] {
					delete(out, name)
				}
			}
		}
	}
	return out
}

// headOfEvents returns the line above the events: their number, how many have which level, and the fields they share.
func (s *shortener) headOfEvents(events []event, shared map[string]string, bytes int) string {
	head := "[" + withCommas(len(events)) + " lines]"
	if s.part {
		head = note("%s lines", s.formatCount(len(events)))
	}
	count := map[string]int{}
	var levels []*event
	for i := range events {
		e := &events[i]
		if e.level != "" {
			if count[e.level]++; count[e.level] == 1 {
				levels = append(levels, e)
			}
		}
	}
	slices.SortStableFunc(levels, func(a, b *event) int { return cmp.Compare(b.rank, a.rank) })
	var parts []string
	for _, e := range levels[:min(len(levels), 10)] {
		parts = append(parts, strings.TrimSpace(cut(e.level, 24)+" "+e.word)+" ("+withCommas(count[e.level])+")")
	}
	if n := len(levels) - len(parts); n > 0 {
		parts = append(parts, withCommas(n)+" more")
	}
	if len(parts) > 0 && !s.part {
		by := "level"
		if events[0].request {
			by = "status"
		}
		head += " " + note("by %s: %s", by, strings.Join(parts, ", "))
	}
	var same []string
	size := 0
	for i := range events {
		if len(shared) == 0 || events[i].message == "" {
			continue
		}
		for _, f := range events[i].fields {
			if text, ok := shared[f.path]; ok && f.path != "" && len(text) <= 60 && len(same) < maxAllFields && size < bytes/10 {
				same = append(same, f.path+"="+text)
				size += len(f.path) + len(text) + 3
			}
		}
		break
	}
	if len(same) > 0 {
		head += "; " + s.allOf("lines") + ": " + strings.Join(same, "; ")
	}
	return head
}

// text formats an event in up to most bytes: level, time and message, then the cause of a fault, then other fields
// that are not shared by all.
func (e *event) text(shared map[string]string, most int) string {
	if e.line != "" {
		return clipMiddle(e.line, most)
	}
	parts := make([]string, 0, 4)
	for _, p := range []string{e.level, e.word, e.time} {
		if p != "" {
			parts = append(parts, cut(p, 40))
		}
	}
	out := strings.Join(parts, " ") + " " + cutMarked(e.message, max(80, most-len(e.time)-20))
	said := e.message
	between, left := " | ", false
	for _, causes := range []bool{true, false} {
		for _, f := range e.fields {
			words := nameWords(f.path)
			if _, all := shared[f.path]; all && f.path != "" || causes != (len(words) > 0 && causeWords[words[len(words)-1]]) || strings.Contains(said, f.text) && len(f.text) > 12 {
				continue
			}
			text := clipMiddle(f.text, maxOfField)
			if f.path != "" {
				text = f.path + "=" + text
			}
			if len(out)+len(between)+len(text)+len(omission) > most {
				left = true
				continue
			}
			out += between + text
			said += "\n" + f.text
			between = "; "
		}
	}
	if left {
		out += between + omission
	}
	return out
}
