package compact

import (
	"slices"
	"strings"
)

// Texts whose lines, or blocks of lines, are records without a header: the output of ls -l and git log.

// readLong reads the long format of ls.
func readLong(text string) [][]string {
	out := [][]string{{"mode", "links", "owner", "group", "size", "modified", "name"}}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "total ") && len(out) == 1 {
			continue
		}
		if len(line) < 20 || !isMode(line) {
			return nil
		}
		f := firstFields(strings.TrimRight(line, "\r"), 6)
		if f == nil {
			return nil
		}
		size := f[4]
		rest := f[5]
		if strings.HasSuffix(size, ",") { // a device has two numbers
			minor, after, ok := strings.Cut(rest, " ")
			if !ok {
				return nil
			}
			size, rest = size+" "+minor, strings.TrimLeft(after, " ")
		}
		when, name, ok := cutTime(rest)
		if !ok {
			return nil
		}
		out = append(out, []string{f[0], f[1], f[2], f[3], size, when, name})
	}
	return out
}

// isMode reports whether a line begins with the type and the permissions of a file.
func isMode(line string) bool {
	if strings.IndexByte("-dlbcps", line[0]) < 0 {
		return false
	}
	return strings.Trim(line[1:10], "rwxsStT-") == ""
}

// cutTime cuts the time of ls, three words or a date and a time, off a name.
func cutTime(t string) (when, name string, ok bool) {
	words := 3
	if len(t) > 10 && t[4] == '-' && t[7] == '-' {
		words = 2
		if len(t) > 30 && t[19] == '.' { // with a time zone
			words = 3
		}
	}
	i := 0
	for range words {
		for i < len(t) && t[i] == ' ' {
			i++
		}
		for i < len(t) && t[i] != ' ' {
			i++
		}
	}
	if i >= len(t) || i > 40 {
		return "", "", false
	}
	return t[:i], t[i+1:], true
}

// readStanzas reads records of "name: value" lines separated by blank lines, as dpkg, apt and /proc/cpuinfo print them:
// all begin with the same name.
func readStanzas(text string) [][]string {
	first, _, ok := strings.Cut(cut(text, longKey), ":")
	if !ok || first == "" || !plainKey(first) || strings.Contains(first, "\n") {
		return nil
	}
	head, at := []string{}, map[string]int{}
	out := [][]string{nil}
	for stanza := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		stanza = strings.Trim(stanza, "\n")
		if stanza == "" {
			continue
		}
		if name, _, _ := strings.Cut(stanza, ":"); name != first {
			return nil
		}
		var row []string
		k := -1
		for line := range strings.SplitSeq(stanza, "\n") {
			name, value, ok := strings.Cut(line, ":")
			switch {
			case line[0] == ' ' || line[0] == '\t':
				if k < 0 {
					return nil
				}
				if len(row[k]) < maxOfCell {
					row[k] = strings.TrimSpace(row[k] + " " + strings.TrimSpace(line))
				}
				continue
			case !ok || !plainKey(name):
				return nil
			}
			name = strings.TrimSpace(name)
			if k, ok = at[name]; !ok {
				if k = len(head); k == maxColumns {
					return nil
				}
				at[name] = k
				head = append(head, name)
			}
			row = appendCell(row, k, strings.TrimSpace(value))
		}
		out = append(out, row)
	}
	if len(head) < 3 {
		return nil
	}
	for k, row := range out[1:] {
		out[k+1] = slices.Grow(row, len(head)-len(row))[:len(head)]
	}
	out[0] = head
	return out
}

// readStat reads the output of git diff --stat: files with their number of changed lines.
func readStat(text string) [][]string {
	out := [][]string{{"file", "lines changed"}}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		file, rest, ok := strings.Cut(strings.TrimRight(line, "\r"), " | ")
		f := strings.Fields(rest)
		if !ok || line[0] != ' ' && len(out) > 1 || len(f) == 0 || strings.Trim(f[0], "0123456789") != "" && f[0] != "Bin" {
			return nil
		}
		changed := f[0]
		if changed == "Bin" {
			changed = strings.Join(f, " ")
		} else if strings.Trim(strings.Join(f[1:], ""), "+-") != "" {
			return nil
		}
		out = append(out, []string{strings.TrimSpace(file), changed})
	}
	return out
}

// readBlame reads the output of git blame: commit, author, date and number before each line.
func readBlame(text string) [][]string {
	out := [][]string{{"line", "commit", "file", "author", "date", "code"}}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		before, rest, ok := strings.Cut(strings.TrimRight(line, "\r"), " (")
		hash, file, _ := strings.Cut(before, " ") // the file, if lines were moved
		about, code, closed := cutBlamed(rest)
		f := strings.Fields(about)
		if n := len(f) - 2; n > 0 && len(f[n]) == 10 && f[n][4] == '-' { // of --date=short
			f = slices.Insert(f, n+1, "", "")
		}
		if !ok || !closed || len(f) < 5 || len(hash) < 7 || !isHex(strings.TrimPrefix(hash, "^")) {
			return nil
		}
		n := len(f) - 4
		if len(f[n]) != 10 || f[n][4] != '-' || strings.Trim(f[n+3], "0123456789") != "" {
			return nil
		}
		out = append(out, []string{f[n+3], hash, strings.TrimSpace(file), strings.Join(f[:n], " "), f[n], code})
	}
	return out
}

// cutBlamed cuts a line of git blame after the line number: a name may contain parentheses.
func cutBlamed(rest string) (about, code string, ok bool) {
	for i := 1; i < len(rest); i++ {
		if rest[i] == ')' && isDigit(rest[i-1]) && (i+1 == len(rest) || rest[i+1] == ' ') {
			return rest[:i], strings.TrimPrefix(rest[i+1:], " "), true
		}
	}
	return "", "", false
}

// readBenchmarks reads the output of go test -bench: a benchmark, its number of runs, and values with their units.
func readBenchmarks(text string) [][]string {
	out := [][]string{{"benchmark", "runs"}}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		f := strings.Fields(line)
		if len(f) < 4 || len(f)%2 != 0 || !strings.HasPrefix(f[0], "Benchmark") || strings.Trim(f[1], "0123456789") != "" {
			return nil
		}
		row := []string{f[0], f[1]}
		for i := 2; i < len(f); i += 2 {
			k := slices.Index(out[0], f[i+1])
			if _, ok := numberOf(f[i]); !ok {
				return nil
			}
			if k < 0 {
				k = len(out[0])
				out[0] = append(out[0], f[i+1])
			}
			row = appendCell(row, k, f[i])
		}
		out = append(out, row)
	}
	return out
}
