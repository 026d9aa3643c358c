package compact

import (
	"encoding/csv"
	"slices"
	"strings"
)

// Texts whose lines are rows: comma- or tab-separated values, a Markdown table, or columns aligned with spaces as
// commands print them.

// minRows is the number of rows that make a text a table.
const minRows = 4

// readCells reads a text as rows of cells, the header first, or returns nil if it is not a table.
func readCells(text string) [][]string {
	return firstOf(text, readBarred, readSizes, readSeparated, readStat, readBlame, readBenchmarks, onelineCells, readCounts, readLong, readAligned, readStanzas)
}

// onelineCells reads commits of one line each; the first cell is the hash.
func onelineCells(text string) [][]string {
	out := [][]string{{"commit", "subject"}}
	for _, c := range readOneline(text) {
		out = append(out, []string{c.hash, c.subject})
	}
	return out
}

// readHeaded does the same as readCells, but only for tables whose header is drawn or aligned, or that need none.
func readHeaded(text string) [][]string {
	return firstOf(text, readBarred, readBenchmarks, readAligned)
}

func firstOf(text string, readers ...func(string) [][]string) [][]string {
	for _, read := range readers {
		if cells := read(text); len(cells) > minRows {
			return cells
		}
	}
	return nil
}

// readBarred reads rows between bars: of Markdown, and as database clients draw them.
func readBarred(text string) [][]string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	ruled := strings.Contains(first, "|") && strings.Contains(second, "-+-") && ruledLine(second) // psql
	if !ruled && !isBarred(first) && !isBorder(first) {
		return nil
	}
	var out [][]string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if isBorder(line) {
			continue
		}
		bar := "|"
		switch {
		case strings.HasPrefix(line, "│"):
			bar = "│"
		case !ruled && !isBarred(line):
			return nil
		}
		if !ruled {
			line = strings.TrimSuffix(strings.TrimPrefix(line, bar), bar)
		}
		row := splitCells(line, bar)
		if len(out) > 0 && (len(row) > len(out[0]) || ruled && len(row) < len(out[0])) {
			return nil
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		out = append(out, row)
	}
	return out
}

// splitCells splits a line at its bars, except bars after a backslash.
func splitCells(line, bar string) []string {
	cells := strings.Split(line, bar)
	if len(line) > alignedBytes { // not a row anyone reads
		return cells
	}
	out := cells[:1]
	for _, c := range cells[1:] {
		if last := &out[len(out)-1]; strings.HasSuffix(*last, `\`) {
			*last += bar + c
			continue
		}
		out = append(out, c)
	}
	return out
}

// isBarred reports whether a line begins and ends with a bar.
func isBarred(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && (line[0] == '|' && line[len(line)-1] == '|' || strings.HasPrefix(line, "│") && strings.HasSuffix(line, "│"))
}

// isBorder reports whether a line is a border between rows.
func isBorder(line string) bool {
	return len(line) > 2 && strings.Trim(line, "|+-=: ┌┬┐├┼┤└┴┘─═╞╪╡╔╗╚╝╠╣╦╩╬│") == ""
}

// readSeparated reads comma-, semicolon- or tab-separated values whose rows have as many fields as the first.
func readSeparated(text string) [][]string {
	head, _, _ := strings.Cut(text, "\n")
	for _, comma := range []rune{'\t', ',', ';'} {
		if strings.Count(head, string(comma)) < 2 {
			continue
		}
		rows, err := readFields(text, comma)
		if err == nil && len(rows) > minRows && !isRagged(rows) {
			return withHead(rows)
		}
	}
	return nil
}

// withHead returns rows below a header. If the first row has a number in a column of numbers it is not a header, and the
// columns are named by letters. Several years are column names.
func withHead(rows [][]string) [][]string {
	years := 0
	for _, cell := range rows[0][1:] {
		if n, ok := numberOf(cell); ok && len(cell) == 4 && n > 1900 && n < 2100 {
			years++
		}
	}
	if years > 1 {
		return rows
	}
	for k := range rows[0] {
		if _, ok := numberOf(rows[0][k]); !ok {
			continue
		}
		n := 0
		for _, row := range rows[1:] {
			if k < len(row) {
				if _, ok := numberOf(row[k]); ok {
					n++
				}
			}
		}
		if n*10 < (len(rows)-1)*9 {
			continue
		}
		head := make([]string, len(rows[0]))
		for i := range head {
			head[i] = string(rune('A' + i%26))
		}
		return append([][]string{head}, rows...)
	}
	return rows
}

// readSizes reads the output of du and git diff --numstat: numbers before a path, separated by tabs.
func readSizes(text string) [][]string {
	first, _, _ := strings.Cut(text, "\n")
	out := [][]string{{"size", "path"}}
	if strings.Count(first, "\t") == 2 {
		out[0] = []string{"added", "deleted", "path"}
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		row := strings.SplitN(line, "\t", len(out[0]))
		if len(row) < len(out[0]) {
			return nil
		}
		for _, v := range row[:len(row)-1] {
			if _, ok := numberOf(strings.TrimSpace(v)); !ok && v != "-" {
				return nil
			}
		}
		if p := row[len(row)-1]; p == "" || strings.Contains(p, "\t") || !strings.ContainsAny(p, "/.") && len(out) == 1 {
			return nil
		}
		out = append(out, row)
	}
	return out
}

// readCounts reads a number before or after each line, as wc -l, uniq -c and grep -c print them.
func readCounts(text string) [][]string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	behind := true
	for _, l := range lines {
		i := strings.LastIndexByte(l, ':')
		behind = behind && i > 0 && i+1 < len(l) && strings.Trim(l[i+1:], "0123456789") == "" && !strings.ContainsAny(l, " \t")
	}
	if behind {
		out := [][]string{{"hits", "file"}}
		for _, l := range lines {
			i := strings.LastIndexByte(l, ':')
			out = append(out, []string{l[i+1:], l[:i]})
		}
		return out
	}
	out := [][]string{{"count", "name"}}
	for _, l := range lines {
		n, name, ok := strings.Cut(strings.TrimLeft(l, " "), " ")
		if !ok || n == "" || name == "" || name[0] == ' ' || strings.Trim(n, "0123456789") != "" {
			return nil
		}
		out = append(out, []string{n, name})
	}
	if len(out) > 2 && out[1][0] == "1" && out[2][0] == "2" { // a numbered list
		return nil
	}
	return out
}

// readFields reads separated values, by a faster path if nothing is quoted.
func readFields(text string, comma rune) ([][]string, error) {
	if strings.IndexByte(text, '"') < 0 {
		return splitFields(text, byte(comma))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
	rows, err := r.ReadAll()
	for k := range rows {
		// empty fields at the end of a tab-separated line are often left out, and the last row may be cut off
		if len(rows[k]) != len(rows[0]) && comma != '\t' && (k+1 < len(rows) || strings.Count(text, `"`)%2 == 0) {
			return nil, csv.ErrFieldCount
		}
	}
	return rows, err
}

// splitFields reads unquoted values. All rows have as many as the first; tab-separated rows may have fewer.
func splitFields(text string, comma byte) ([][]string, error) {
	lines := strings.Count(text, "\n") + 1
	rows := make([][]string, 0, lines)
	fields := make([]string, 0, strings.Count(text, string(comma))+lines)
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			continue
		}
		from := len(fields)
		for i := strings.IndexByte(line, comma); i >= 0; i = strings.IndexByte(line, comma) {
			fields = append(fields, line[:i])
			line = line[i+1:]
		}
		fields = append(fields, line)
		row := fields[from:len(fields):len(fields)]
		if len(rows) > 0 && comma != '\t' && len(row) != len(rows[0]) {
			return nil, csv.ErrFieldCount
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// isRagged reports whether a row has more fields than the header, or only one.
func isRagged(rows [][]string) bool {
	return slices.ContainsFunc(rows, func(r []string) bool { return len(r) > len(rows[0]) || len(r) < 2 })
}
