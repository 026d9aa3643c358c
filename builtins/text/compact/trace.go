package compact

import (
	"slices"
	"strings"
)

// stackUnit is a part of a trace: a message, or one frame with its place and code.
type stackUnit struct {
	text    string
	lines   int
	frame   bool
	library bool
	error   bool // a message that names the fault or its cause
	stack   int  // which stack it belongs to
	rank    int  // in its stack, among frames of the same sort, from where the fault was raised
	middle  bool // a cause that has another
	last    bool // of the text, or a line that sums up
	head    int  // the unit it stands below, counted from 1; 0 for none
}

// shortenTrace keeps the messages and the chain of causes, then the frames of the user's own code from where the fault
// was raised; frames of libraries are counted where they stood. A stack that stood before is counted too.
func (s *shortener) shortenTrace(text string, bytes int) Summary {
	lines := strings.Split(text, "\n")
	units := repeatedStacks(foldCycles(readStacks(lines)))
	threads := partOf("goroutines", lines, func(l string) bool { return strings.HasPrefix(l, "goroutine ") && strings.HasSuffix(l, ":") })
	if len(threads.heads) > 1 {
		bytes -= partNote
	}
	findHeads(units)
	for i := range units {
		units[i].last = !units[i].frame && (i+1 == len(units) && !strings.HasPrefix(units[i].text, "note: ") || sumsUp(units[i].text))
	}
	for i := range units { // else one that wraps others, with all that they say, leaves no room for its cause
		if u := &units[i]; !u.frame {
			u.text = clip(u.text, max(maxOfMessage, bytes/5))
		}
	}
	order, ranks := make([]int, len(units)), make([]int, len(units))
	for i := range order {
		order[i], ranks[i] = i, s.traceRank(&units[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return ranks[a] - ranks[b] })
	taken := make([]bool, len(units))
	left := bytes
	for _, i := range order {
		cost := len(units[i].text) + 1
		if units[i].frame {
			cost += 10 // a note beside it, where frames are left out
		}
		h := units[i].head - 1
		if h >= 0 && !taken[h] {
			cost += len(units[h].text) + 1
		}
		if cost <= left && !taken[i] {
			taken[i] = true
			left -= cost
			if h >= 0 {
				taken[h] = true
			}
		}
	}
	for {
		out, kept := writeTrace(units, taken)
		if len(out) <= bytes || !dropLast(units, order, taken) {
			return Summary{Text: out, Units: len(lines), Kept: kept, left: leftThreads(threads, units, taken)}
		}
	}
}

// maxOfMessage is how much of a message is shown in a small summary, in bytes.
const maxOfMessage = 160

// leftThreads writes how many threads are not shown, for the note at the end.
func leftThreads(threads part, units []stackUnit, taken []bool) string {
	all, shown := len(threads.heads), 0
	if all < 2 {
		return ""
	}
	for i, u := range units {
		if taken[i] && !u.frame && strings.HasPrefix(u.text, "goroutine ") {
			shown++
		}
	}
	return leftOf(all-shown, all, threads.name)
}

// dropLast lets go what was worth least, and with a head what stands below it.
func dropLast(units []stackUnit, order []int, taken []bool) bool {
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		if !taken[i] {
			continue
		}
		taken[i] = false
		for n := i + 1; n < len(units) && units[n].head == i+1; n++ {
			taken[n] = false
		}
		return true
	}
	return false
}

// findHeads finds for each unit the message that its trace begins with: a cause, and what an exception says behind a
// message, go on with the trace before.
func findHeads(units []stackUnit) {
	head, cause := 0, -1
	for i := range units {
		u := &units[i]
		after := i > 0 && !units[i-1].frame
		switch {
		case u.text == omission: // a part of the trace is not read
			head = 0
		case u.frame || u.text[0] == ' ' || u.text[0] == '\t' || u.text[0] == '}' || isCause(u.text) || namesFault(u.text) && (after || i > 0 && strings.HasPrefix(strings.TrimSpace(units[i-1].text), "File \"")):
			u.head = head
		default:
			head = i + 1
		}
		if u.error && u.head > 0 {
			if cause >= 0 && units[cause].head == head {
				units[cause].middle = true // not the last of its causes
			}
			cause = i
		}
	}
}

// namesFault reports whether a line begins with the type of an exception.
func namesFault(t string) bool {
	name, _, _ := strings.Cut(t, ":")
	return !strings.ContainsAny(name, " /\\([") && (strings.Contains(name, ".") || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isCause reports whether a line of a trace goes on with the causes of a fault.
func isCause(t string) bool {
	return hasPrefix(t, "Caused by", "During handling", "The above exception", "Suppressed:", "[signal", "[cause]")
}

// traceRank orders the units of a trace, the first to be kept first.
func (s *shortener) traceRank(u *stackUnit) int {
	rank := 0
	switch {
	case u.middle:
		rank = 15
	case u.error, u.last:
	case u.frame && !u.library:
		rank = 10 + u.rank
	case !u.frame:
		rank = 40
	default:
		rank = 60 + u.rank
	}
	if u.stack > 0 && !u.error {
		rank += 20
	}
	if len(s.subject.in(u.text)) > 0 {
		rank -= 15
	}
	return rank
}

// readStacks makes units of lines. The stack of a fault begins where frames begin behind a message.
func readStacks(lines []string) []stackUnit {
	out := make([]stackUnit, 0, len(lines))
	stack := -1
	inFrames := false
	for k := 0; k < len(lines); k++ {
		f, place := frameOf(lines[k], behind(lines, k))
		if f == noFrame {
			t := strings.TrimRight(lines[k], " \t\r")
			if t != "" {
				out = append(out, stackUnit{text: t, lines: 1, stack: max(stack, 0), error: tellsFault(t)})
			}
			inFrames = false
			continue
		}
		if !inFrames {
			stack++
		}
		inFrames = true
		u := stackUnit{frame: true, lines: 1, stack: stack, library: isLibrary(place), text: strings.TrimRight(lines[k], " \t\r")}
		python := strings.HasPrefix(strings.TrimSpace(lines[k]), "File \"")
		for f == callOf && k+1 < len(lines) {
			if !belongs(lines[k+1], lines[k], python) {
				break
			}
			k++
			u.lines++
			u.library = u.library || isLibrary(strings.TrimPrefix(strings.TrimSpace(lines[k]), "at "))
			u.text += "\n" + strings.TrimRight(lines[k], " \t\r")
			if !python {
				break
			}
		}
		out = append(out, u)
	}
	rankFrames(out)
	return out
}

// belongs reports whether a line goes on with the frame before it: its place, or the code of Python with the marks
// below it.
func belongs(line, before string, python bool) bool {
	f, _ := frameOf(line, "")
	if !python {
		return f == placeOf
	}
	return f == noFrame && strings.HasPrefix(line, "    ") && !strings.HasPrefix(strings.TrimSpace(line), "[Previous line")
}

// rankFrames numbers the frames of each stack from where its fault was raised: Python writes that last.
func rankFrames(units []stackUnit) {
	for i := 0; i < len(units); {
		if !units[i].frame {
			i++
			continue
		}
		end := i
		for end < len(units) && units[end].frame {
			end++
		}
		run := units[i:end]
		last := strings.HasPrefix(strings.TrimSpace(run[0].text), "File \"")
		own, library := 0, 0
		for k := range run {
			u := &run[k]
			if last {
				u = &run[len(run)-1-k]
			}
			if u.library {
				u.rank = min(library, 30)
				library++
			} else {
				u.rank = min(own, 9)
				own++
			}
		}
		i = end
	}
}

// tellsFault reports whether a line of a trace names a fault or a cause.
func tellsFault(t string) bool {
	l := strings.TrimSpace(t)
	return tellsError(l) || isCause(l) || hasPrefix(l, "goroutine 1 ", "thread '", "signal:", "SIG")
}

// maxCycle is how many frames repeat again and again at most where functions call one another without end.
const maxCycle = 6

// foldCycles replaces frames that repeat by how often they do.
func foldCycles(units []stackUnit) []stackUnit {
	keys := make([]string, len(units))
	for i, u := range units {
		if u.frame {
			keys[i] = string(appendFrame(nil, u.text))
		}
	}
	out := make([]stackUnit, 0, len(units))
	for i := 0; i < len(units); i++ {
		n, times := cycleAt(keys, i)
		out = append(out, units[i:i+n]...)
		if times > 1 {
			again := (times - 1) * n
			fold := stackUnit{text: "    " + note("%v frames %v more times", n, times-1), frame: true, stack: units[i].stack, rank: units[i].rank, library: units[i].library}
			for _, u := range units[i+n : i+n+again] {
				fold.lines += u.lines
			}
			out = append(out, fold)
			n += again
		}
		i += n - 1
	}
	return out
}

// cycleAt finds how many frames from one on repeat, and how many times they stand; 1 and 1 where none do.
func cycleAt(keys []string, i int) (n, times int) {
	for n = 1; n <= maxCycle && keys[i] != ""; n++ {
		end := i + n
		for end < len(keys) && keys[end] == keys[end-n] && keys[end] != "" {
			end++
		}
		if times = (end - i) / n; times > 2 {
			return n, times
		}
	}
	return 1, 1
}

// repeatedStacks replaces stacks that stood before by how many there were.
func repeatedStacks(units []stackUnit) []stackUnit {
	seen := map[string]bool{}
	var key []byte
	goroutine, stood, like := "", map[string]int{}, map[int]int{} // the state of one; where its stack ends; how many are like it
	out := make([]stackUnit, 0, len(units))
	for i := 0; i < len(units); {
		if !units[i].frame {
			out = append(out, units[i])
			i++
			continue
		}
		end := i
		key, goroutine = key[:0], ""
		if n := len(out); n > 0 && !out[n-1].frame && strings.HasPrefix(out[n-1].text, "goroutine ") {
			_, goroutine, _ = strings.Cut(out[n-1].text, "[")
			key = append(key, goroutine...)
		}
		for end < len(units) && units[end].frame {
			key = append(appendFrame(key, units[end].text), '\n')
			end++
		}
		if first, ok := stood[string(key)]; ok && goroutine != "" { // counted, not shown
			out = out[:len(out)-1]
			like[first]++
			i = end
			continue
		} else if goroutine != "" {
			stood[string(key)] = len(out) + end - i - 1
		}
		if seen[string(key)] && end-i > 1 {
			n := 0
			for _, u := range units[i:end] {
				n += u.lines
			}
			out = append(out, stackUnit{text: note("%v frames as before", n/max(1, units[i].lines)), lines: n, stack: units[i].stack})
		} else {
			seen[string(key)] = true
			out = append(out, units[i:end]...)
		}
		i = end
	}
	for at, n := range like {
		out[at].text += "\n    " + note("%v more like it", n)
	}
	return out
}

// appendFrame appends a frame without addresses, which differ from one goroutine to the next.
func appendFrame(key []byte, text string) []byte {
	for f := range strings.FieldsSeq(text) {
		if hasPrefix(f, "+0x", "0x", "goroutine", "fp=0x", "sp=0x", "pc=0x") {
			continue
		}
		if i := strings.IndexByte(f, '('); i > 0 && strings.Contains(f[i:], "0x") {
			f = f[:i]
		}
		key = append(append(key, f...), ' ')
	}
	return key
}

// writeTrace writes what was taken, and a note for each run of frames that was not.
func writeTrace(units []stackUnit, taken []bool) (text string, kept int) {
	var b strings.Builder
	library, own := 0, 0
	flush := func() {
		switch {
		case library > 0 && own > 0:
			b.WriteString("    " + note("%v frames, %v of libraries", own+library, library) + "\n")
		case library > 0:
			b.WriteString("    " + note("%v frames of libraries", library) + "\n")
		case own > 0:
			b.WriteString("    " + note("%v frames", own) + "\n")
		}
		library, own = 0, 0
	}
	for i, u := range units {
		switch {
		case taken[i]:
			flush()
			b.WriteString(u.text + "\n")
			kept += u.lines
		case u.library:
			library++
		case u.frame:
			own++
		}
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n"), kept
}
