package compact

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// eachPath yields the paths of a listing, with their sizes if it has any: one per line, or the output of ls -R and
// tree, whose names are appended to their directories. What is below something unread is left out.
func eachPath(text string) iter.Seq2[string, string] {
	return func(yield func(path, size string) bool) {
		stack := []string{"."} // of tree, by level
		dir, lost := "", false
		drawn := strings.Contains(text, "── ")
		sections := !drawn && isRecursive(text)
		for line := range strings.SplitSeq(text, "\n") {
			t := strings.TrimRight(line, " \r")
			path, size := strings.TrimSpace(t), ""
			switch {
			case path == "":
				continue
			case path == omission:
				stack, lost = stack[:1], sections
				continue
			case drawn:
				path = drawnPath(t, &stack)
			case sections && strings.HasSuffix(t, ":") && !strings.Contains(t, "  "):
				dir = strings.TrimSuffix(t, ":")
				if lost = false; dir == "." {
					dir = ""
				}
				continue
			case lost:
				continue
			case sections:
				if path, size = nameOfLong(path); path != "" && dir != "" {
					path = dir + "/" + path
				}
			}
			if path = strings.TrimPrefix(path, "./"); path != "" && !yield(path, size) {
				return
			}
		}
	}
}

// isRecursive reports whether a listing has a section for each directory, as ls -R prints them.
func isRecursive(text string) bool {
	n := 0
	for line := range strings.SplitSeq(cut(text, looked), "\n") {
		t := strings.TrimRight(line, " \r")
		if len(t) > 1 && strings.HasSuffix(t, ":") && (t == ".:" || strings.ContainsAny(t, "/\\")) && !strings.Contains(t, " ") {
			n++
		}
	}
	return n >= 2
}

// nameOfLong returns the name in a line of ls, also in the long format with the size of a file; "" for its totals.
func nameOfLong(t string) (name, size string) {
	if strings.HasPrefix(t, "total ") || t == "." || t == ".." {
		return "", ""
	}
	if f := strings.Fields(t); len(f) >= 9 && len(f[0]) >= 10 && strings.IndexByte("-dlbcps", f[0][0]) >= 0 {
		for range 8 { // up to and including the time
			t = strings.TrimLeft(t, " ")
			t = t[strings.IndexByte(t, ' '):]
		}
		switch f[0][0] {
		case '-':
			return t[1:], f[4]
		case 'l':
			t, _, _ = strings.Cut(t, " -> ")
		case 'd':
			if t == " ." || t == " .." {
				return "", ""
			}
			t += "/" // even if it is empty
		}
		return t[1:], ""
	}
	return t, ""
}

// drawnPath returns the path of a line drawn by tree; stack has the names above it.
func drawnPath(t string, stack *[]string) string {
	i := strings.Index(t, "── ")
	if i < 0 {
		if !strings.ContainsAny(t, " ,") {
			*stack = []string{t}
		}
		return ""
	}
	level := (utf8.RuneCountInString(t[:i])-1)/4 + 1
	name := t[i+len("── "):]
	if level > len(*stack) {
		return ""
	}
	*stack = append((*stack)[:level], name)
	return strings.Join(*stack, "/")
}

// looksLikeTree reports whether a text is the output of tree or ls -R.
func looksLikeTree(head string, lines []string) bool {
	drawn := 0
	for _, l := range lines {
		if strings.Contains(l, "── ") {
			drawn++
		}
	}
	return drawn*2 > len(lines) && drawn > 4 || isRecursive(head) && !strings.Contains(head, ": ") && len(lines) > 6
}
