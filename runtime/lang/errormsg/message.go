package errormsg

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Limits that hold for any pasted text.
const (
	maxText     = 16 << 10 // bytes read at each end of the text
	maxLines    = 30       // lines read at each end
	maxRead     = 1000     // bytes of a line
	maxLine     = 600      // bytes of a message that are compared
	maxMessages = 6
	minLetters  = 8 // of a message; shorter ones match everywhere
)

// Message is one message as it was pasted.
type Message struct {
	Text   string // on one line, without the prefix of a logger
	Raised string // name of the exception before it, if any
	Sure   bool   // has a form that only messages have; otherwise it may be a sentence
}

// Patterns of messages. All are linear.
var (
	stamp  = lazyregexp.Holding(`^[\[(]?\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?[\])]?[ :|,-]*|^[\[(]?\d\d:\d\d:\d\d[\d.,]*[\])]?[ :|-]*`, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	level  = lazyregexp.New(`^\[[^\]\n]{0,24}\b(?i:warn|warning|error|fatal|info|debug)\b[^\]\n]{0,24}\]:?\s*|^[\w-]{1,20}\.(?:ERROR|WARNING|CRITICAL|INFO|NOTICE|ALERT|EMERGENCY|DEBUG): |^\(error\) (?:[A-Z]+ )?|^what\(\):\s+|^\d+:[A-Z] \d\d \w{3} \d{4} [\d:.]+ [*#.-] |^[│╷╵|] +|^[\[(]?(?i:trace|debug|info|notice|warn|warning|error|err|fatal|critical|crit|panic|severe|alert)[\])]?(?:[:|/]\s*|\s+(?:--- |- )?|\[[^\]\s]{1,40}\]:?\s*)`)
	tagged = lazyregexp.Holding(`^\[[\w .:/\-]{1,60}\][ :|-]*`, "[")
	raised = lazyregexp.Holding(`^(?:Uncaught |Unhandled exception\. |Caused by: |Exception in thread "[^"]{1,80}" |E\s{2,8})*((?:[A-Za-z_][\w$]*(?:\.|::|\\))*[A-Z][\w$]*(?:Error|Exception|Warning|Failure|Fault|Panic|Interrupt|Exit|NotFound)|(?:[a-z_]\w*\.)+[A-Z]\w+|[A-Z]\w*(?:::[A-Z]\w*)+|[A-Z]\w*Error \[[A-Z0-9_]+\])(?: \[[A-Z0-9_]+\])?: +`, ": ")
	rusty  = lazyregexp.Holding(`^thread '[^'\n]{0,80}' (?:\(\d+\) )?panicked at (?:'(.{4,500})', [\w./\\:-]+$|[\w./\\: -]+:$|)`, "thread '")
	fields = lazyregexp.Holding(`\b(?:msg|message|err|error)="((?:[^"\\]|\\.){6,600})"`, `="`)
	quoted = lazyregexp.Holding("\"([^\"\n]{8,400})\"|“([^”\n]{8,400})”|`([^`\n]{8,400})`|(?:^|[\\s(])'([^\\n]{8,400})'(?:[\\s).,?!:;]|$)", `"`, "“", "`", "'")
	marked = lazyregexp.Holding(`(?i:\b(?:errors?|exception|message|warning|panics?|fails?|failed|crashe[sd]|dies|complains?|says|saying|logs?|prints?|throws?|raises?|get|gets|getting|got|see|seeing|with|this)\b\s*[:\-–—]\s+)(\S.{8,400})$`, ":", "-", "–", "—")
	called = lazyregexp.Holding(`^((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception)) \((.{8,500})\):?$`, "Error (", "Exception (")
	within = lazyregexp.Holding(`(?:^|[\s(])((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Warning|Failure)|(?:[a-z_]\w*\.)+[A-Z]\w+): +(\S.{8,400})$`, ": ")
	coded  = lazyregexp.Holding(`^(?:(?i:error|code|error code|status)[: ]\s*)?([A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*[A-Z0-9]+)$`, "_")
	fault  = lazyregexp.New(`(?:^|_)(?:E|ERR|ERROR|NOT|NO|INVALID|FAILED|FAILURE|MISSING|DENIED|TIMEOUT|UNKNOWN|REFUSED|EXCEEDED|ALREADY|UNABLE|CANNOT|FORBIDDEN|UNAUTHORIZED|CONFLICT|ILLEGAL|BAD|UNSUPPORTED|EXPIRED|BLOCKED|REJECTED)(?:_|$)`)
	stack  = lazyregexp.New(`^\s*(?:at\s+\S+.*[:)]|File ".*", line \d+.*|\.\.\. \d+ more|goroutine \d+ .*|\d+: +0x[0-9a-f]+ .*|from .*:\d+:in .*|Traceback \(most recent call last\):|note: run with .*|stack backtrace:)\s*$`)
	asking = lazyregexp.New(`^(?i:where|which|what|whats|what's|find|show|list|are there|is there|how|who|whose|when|why|give|locate|point|can|could|does|do|is|should|tell|explain|describe|fix|add|remove|make|allow|support|use|improve|update|implement|change|avoid|prevent|ensure|handle|move|rename|refactor|drop|introduce|replace|set|reset|return|correct|correctly|do not|don't)\b`)
	why    = lazyregexp.New(`(?i:\bwhy\b|\bwhat\s+(causes|raises|throws|does\s+it\s+mean|makes|is\s+wrong)\b|\bwhere\b.*\b(raised|thrown|logged|printed|from|comes?)\b|\bwhen\b.*\b(get|raised|thrown|see)\b|\b(error|exception|warning|message|panic|fails?|failed|crash(es)?|complains?|says|throws|raises)\b)`)
	// phrase matches a line that begins with the name of a level but is not a message: "error handling middleware".
	phrase = lazyregexp.New(`^[a-z]+ [a-z][^:]*[^:.!]$`)
)

// Read finds the messages in a text, the surest first. It returns none for a question or request that quotes none.
func Read(text string) []Message {
	r := reader{}
	lines := splitLines(text)
	asked := why.MatchString(firstOf(lines))
	for i, line := range lines {
		if stack.MatchString(line) {
			continue
		}
		r.readLine(line, nextLine(lines, i), asked)
	}
	if !r.plain {
		r.readWhole(lines)
	}
	return r.mergeMessages()
}

// Is reports whether a text begins with a message, so that the query is only about its meaning.
func Is(text string) bool {
	r := reader{}
	line := firstOf(splitLines(text))
	r.readLine(line, "", false)
	return r.plain && len(r.sure) > 0 && !asking.MatchString(strings.TrimSpace(line)) && !strings.HasSuffix(strings.TrimSpace(line), "?")
}

// splitLines splits a text into lines, keeping only both ends of a very long one.
func splitLines(text string) []string {
	if len(text) > 2*maxText {
		text = text[:maxText] + "\n" + text[len(text)-maxText:]
	}
	lines := strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) > 2*maxLines {
		lines = append(lines[:maxLines:maxLines], lines[len(lines)-maxLines:]...)
	}
	for i, line := range lines {
		lines[i] = line[:min(len(line), maxRead)]
	}
	return lines
}

func firstOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

func nextLine(lines []string, i int) string {
	if i+1 < len(lines) {
		return lines[i+1]
	}
	return ""
}

// reader collects messages.
type reader struct {
	sure, likely []Message
	plain        bool // the form of a line shows where its message begins
}

func (r *reader) add(m Message) {
	m.Text = squeeze(m.Text)
	if countLetters(m.Text) < minLetters || !strings.Contains(strings.TrimSpace(m.Text), " ") && !m.Sure {
		return
	}
	list := &r.likely
	if m.Sure {
		list = &r.sure
	}
	for _, have := range *list {
		if have.Text == m.Text {
			return
		}
	}
	if len(*list) < maxMessages {
		*list = append(*list, m)
	}
}

// readLine reads one line of the pasted text.
func (r *reader) readLine(line, after string, asked bool) {
	s := strings.TrimSpace(line)
	if m := rusty.FindStringSubmatch(s); m != nil {
		r.plain = true
		switch {
		case m[1] != "":
			r.add(Message{Text: m[1], Raised: "panic", Sure: true})
		default:
			r.add(Message{Text: orOther(strings.TrimSpace(s[len(m[0]):]), after), Raised: "panic", Sure: true})
		}
		return
	}
	for _, m := range fields.FindAllStringSubmatch(s, maxMessages) {
		r.add(Message{Text: unescape(m[1]), Sure: true})
	}
	if m := coded.FindStringSubmatch(s); m != nil && fault.MatchString(m[1]) {
		r.add(Message{Text: m[1], Sure: true})
		return
	}
	bare, logged := stripLogger(s)
	r.plain = r.plain || logged || raised.MatchString(bare) || called.MatchString(bare)
	if m := raised.FindStringSubmatch(bare); m != nil {
		r.add(Message{Text: bare[len(m[0]):], Raised: lastName(m[1]), Sure: true})
		return
	}
	if m := called.FindStringSubmatch(bare); m != nil {
		r.add(Message{Text: m[2], Raised: lastName(m[1]), Sure: true})
		return
	}
	if i := strings.LastIndex(bare, "Caused by: "); i > 0 {
		r.add(Message{Text: bare[i+len("Caused by: "):], Sure: true})
	}
	if logged {
		r.add(Message{Text: bare, Sure: true})
	}
	if m := within.FindStringSubmatch(s); m != nil && asked {
		r.add(Message{Text: strings.TrimRight(m[2], "? "), Raised: lastName(m[1]), Sure: true})
		return
	}
	if m := marked.FindStringSubmatch(s); m != nil {
		if n := raised.FindStringSubmatch(m[1]); n != nil {
			r.add(Message{Text: m[1][len(n[0]):], Raised: lastName(n[1]), Sure: true})
		} else {
			r.add(Message{Text: m[1], Sure: asked})
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(s, maxMessages) {
		r.add(Message{Text: orOther(m[1], orOther(m[2], orOther(m[3], m[4]))), Sure: asked && strings.Contains(orOther(m[1], orOther(m[2], orOther(m[3], m[4]))), " ")})
	}
}

// readWhole treats a text that contains no question or request as a message.
func (r *reader) readWhole(lines []string) {
	for i, line := range lines {
		if i == 3 {
			return
		}
		s, _ := stripLogger(strings.TrimSpace(line))
		if stack.MatchString(line) || asking.MatchString(s) && !strings.Contains(s, ": ") || strings.HasSuffix(s, "?") && len(lines) == 1 && !strings.Contains(s, ". ") {
			continue
		}
		r.add(Message{Text: s})
	}
}

func (r *reader) mergeMessages() []Message {
	out := r.sure
	for _, m := range r.likely {
		known := false
		for _, have := range r.sure {
			known = known || have.Text == m.Text
		}
		if !known && len(out) < maxMessages {
			out = append(out, m)
		}
	}
	return out
}

// stripLogger removes what a logger puts before a message, and reports whether there was any.
func stripLogger(s string) (string, bool) {
	logged := false
	for range 4 {
		cut := 0
		if m := stamp.FindString(s); m != "" {
			cut, logged = len(m), true
		} else if m := level.FindString(s); m != "" && (logged || !phrase.MatchString(s)) {
			cut, logged = len(m), true
		} else if m := tagged.FindString(s); m != "" && logged {
			cut = len(m)
		}
		if cut == 0 || cut >= len(s) {
			break
		}
		s = s[cut:]
	}
	return s, logged
}

// lastName returns the class of a qualified name.
func lastName(s string) string {
	s, _, _ = strings.Cut(s, " [")
	if i := strings.LastIndexAny(s, `.:\`); i >= 0 {
		s = s[i+1:]
	}
	return s
}

func orOther(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

// squeeze joins a text into one line with single spaces, cut to the length that is compared.
func squeeze(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxLine {
		s = s[:maxLine]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// countLetters counts the bytes that distinguish a text from others: letters, and those that are not ASCII.
func countLetters(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			n++
		}
	}
	return n
}
