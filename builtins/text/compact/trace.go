package compact

import (
	"slices"
	"strings"
)

// stackUnit is a part of a trace: a message, or a frame with its place and code.
type stackUnit struct {
	text    string
	lines   int
	frame   bool
	library bool
	error   bool // a message that names the fault or its cause
	stack   int  // number of the stack it belongs to
	rank    int  // position in its stack among frames of the same sort, from where the fault was raised
	middle  bool // a cause that has a cause itself
	last    bool // the last message of the text, or a line that sums up
	head    int  // parent unit, counted from 1; 0 for none
}

// shortenTrace keeps the messages and the chain of causes, then the frames of the user's own code from where the fault
// was raised; library frames are counted in place, and so is a stack that occurred before.
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
	for i := range units { // otherwise a message that repeats those it wraps leaves no room for its cause
		if u := &units[i]; !u.frame {
			u.text = clipMiddle(u.text, max(maxOfMessage, bytes/5))
		}
	}
	order, ranks := indexesOf(units), make([]int, len(units))
	for i := range ranks {
		ranks[i] = s.traceRank(&units[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return ranks[a] - ranks[b] })
	taken := make([]bool, len(units))
	left := bytes
	for _, i := range order {
		cost := len(units[i].text) + 1
		if units[i].frame {
			cost += 10 // for a note next to it, if frames are left out
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

// maxOfMessage is the maximum length of a message in a small summary, in bytes.
const maxOfMessage = 160

// leftThreads returns how many threads are not shown, for the note at the end.
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

// dropLast drops the taken unit that is worth least, and the units below it.
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

// findHeads sets the parent of each unit, the message that its trace begins with. A cause, or an exception after a
// message, continues the trace before it.
func findHeads(units []stackUnit) {
	head, cause := 0, -1
	for i := range units {
		u := &units[i]
		after := i > 0 && !units[i-1].frame
		switch {
		case u.text == omission: // a part of the trace was not read
			head = 0
		case u.frame || u.text[0] == ' ' || u.text[0] == '\t' || u.text[0] == '}' || isCause(u.text) || namesFault(u.text) && (after || i > 0 && strings.HasPrefix(strings.TrimSpace(units[i-1].text), "File \"")):
			u.head = head
		default:
			head = i + 1
		}
		if u.error && u.head > 0 {
			if cause >= 0 && units[cause].head == head {
				units[cause].middle = true // not the last cause
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

// isCause reports whether a line of a trace introduces a cause of the fault.
func isCause(t string) bool {
	return hasPrefix(t, "Caused by", "During handling", "The above exception", "Suppressed:", "[signal", "[cause]")
}

// traceRank returns the rank of a unit of a trace; lower ranks are kept first.
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
	if len(s.subject.wordsOf(u.text)) > 0 {
		rank -= 15
	}
	return rank
}

// readStacks splits lines into units. A new stack begins at the first frame after a message.
func readStacks(lines []string) []stackUnit {
	out := make([]stackUnit, 0, len(lines))
	stack := -1
	inFrames := false
	for k := 0; k < len(lines); k++ {
		f, place := frameOf(lines[k], lineAfter(lines, k))
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
			if !continuesFrame(lines[k+1], lines[k], python) {
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

// continuesFrame reports whether a line continues the frame before it: with its place, or with Python code and the marks
// below.
func continuesFrame(line, before string, python bool) bool {
	f, _ := frameOf(line, "")
	if !python {
		return f == placeOf
	}
	return f == noFrame && strings.HasPrefix(line, "    ") && !strings.HasPrefix(strings.TrimSpace(line), "[Previous line")
}

// rankFrames ranks the frames of each stack from where its fault was raised: in Python that is the last frame.
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

// maxCycle is the maximum length of a cycle of frames that repeats, as in endless recursion.
const maxCycle = 6

// foldCycles replaces repeated frames by their count.
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

// cycleAt returns the length of the cycle of frames that begins at i and how often it occurs; 1 and 1 if there is none.
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

// repeatedStacks replaces stacks that occurred before by their count.
func repeatedStacks(units []stackUnit) []stackUnit {
	seen := map[string]bool{}
	var key []byte
	goroutine, stood, like := "", map[string]int{}, map[int]int{} // the current goroutine's state; end of the stack by key; number of similar ones by end
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

// appendFrame appends a frame without addresses, which differ between goroutines.
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

// writeTrace writes the taken units, and a note for each run of frames that were not taken.
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
