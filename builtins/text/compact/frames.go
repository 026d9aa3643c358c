package compact

import "strings"

// frame is the kind of a line of a trace.
type frame uint8

const (
	noFrame frame = iota // a message, a cause, or a heading such as "goroutine 1 [running]:"
	callOf               // names what was called; the place is on the next line
	placeOf              // the place of the call on the line before
	oneLiner
)

// frameOf returns the kind of a line of a stack trace, and its code or place. It knows the traces of Python,
// JavaScript, Java, Go and Rust.
func frameOf(line, next string) (f frame, place string) {
	t := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(t, "File \"") && strings.Contains(t, ", line "):
		return callOf, t
	case strings.HasPrefix(t, "at ") && line != t:
		if rest := t[3:]; len(rest) > 1 && (strings.HasPrefix(rest, "./") || rest[0] == '/') && strings.Count(rest, " ") == 0 {
			return placeOf, rest // Rust
		}
		return oneLiner, t[3:]
	case strings.HasPrefix(t, "... ") && strings.HasSuffix(t, " more"):
		return oneLiner, "java."
	case goPlace(line):
		return placeOf, t
	case rustCall(t):
		return callOf, strings.TrimSpace(t[strings.IndexByte(t, ':')+1:])
	case goPlace(next) && line == t && (strings.HasSuffix(t, ")") || strings.HasPrefix(t, "created by ")):
		return callOf, t
	}
	return noFrame, ""
}

// goPlace reports whether a line is a tab, a file, a line and often an offset, as in a trace of Go.
func goPlace(line string) bool {
	if len(line) < 2 || line[0] != '\t' && !strings.HasPrefix(line, "    ") {
		return false
	}
	t := strings.TrimSpace(line)
	i := max(strings.LastIndex(t, ".go:"), strings.LastIndex(t, ".s:")-1)
	return i > 0 && i+4 < len(t) && isDigit(t[i+4]) && (t[0] == '/' || len(t) > 1 && t[1] == ':') && strings.IndexByte(t[:i], ' ') < 0
}

// rustCall reports whether a line is a number and a Rust path, as `  12: core::ops::call`.
func rustCall(t string) bool {
	i := 0
	for i < len(t) && isDigit(t[i]) {
		i++
	}
	return i > 0 && i < 5 && strings.HasPrefix(t[i:], ": ") && (strings.Contains(t, "::") || strings.HasPrefix(t[i:], ": __") || strings.HasPrefix(t[i:], ": _start") || strings.HasPrefix(t[i:], ": rust_") || strings.HasPrefix(t[i:], ": main"))
}

// isLibrary reports whether a frame is in a library, a runtime or a standard library.
func isLibrary(place string) bool {
	return libraries.foundIn(place) || packages.matchAt(place, 0) || packages.matchAt(strings.TrimPrefix(place, "<"), 0) // Rust's <T as U>
}

// looksLikeTrace reports whether enough lines are frames.
func looksLikeTrace(lines []string) bool {
	frames, n := 0, 0
	for k, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n++
		if f, _ := frameOf(l, lineAfter(lines, k)); f != noFrame {
			frames++
		}
	}
	return frames >= 4 && frames*10 >= n*3
}

// lineAfter returns the line after the k-th, or "" after the last.
func lineAfter(lines []string, k int) string {
	if k+1 < len(lines) {
		return lines[k+1]
	}
	return ""
}
