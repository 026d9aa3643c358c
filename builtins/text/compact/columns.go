package compact

import (
	"encoding/csv"
	"strings"
)

// Texts whose lines are rows: of comma- or tab-separated values, of a Markdown table, or of columns aligned by spaces
// as commands print them.

// leastRows is how many rows make a table of a text.
const leastRows = 4

// readCells reads a text as rows of cells, the head first, nil where it is no table.
func readCells(text string) [][]string {
	return firstOf(text, readBarred, readSeparated, readOneline, readCommits, readLong, readAligned)
}

// readHeaded is readCells for tables whose head is drawn or aligned.
func readHeaded(text string) [][]string { return firstOf(text, readBarred, readAligned) }

func firstOf(text string, readers ...func(string) [][]string) [][]string {
	for _, read := range readers {
		if cells := read(text); len(cells) > leastRows {
			return cells
		}
	}
	return nil
}

// readBarred reads rows between bars: of Markdown, and as clients of databases draw them.
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
		row := strings.Split(line, bar)
		if ruled && len(out) > 0 && len(row) != len(out[0]) {
			return nil
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		out = append(out, row)
	}
	return out
}

// isBarred reports whether a line begins and ends with a bar.
func isBarred(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && (line[0] == '|' && line[len(line)-1] == '|' || strings.HasPrefix(line, "│") && strings.HasSuffix(line, "│"))
}

// isBorder reports whether a line is drawn between rows.
func isBorder(line string) bool {
	return len(line) > 2 && strings.Trim(line, "|+-=: ┌┬┐├┼┤└┴┘─═╞╪╡╔╗╚╝╠╣╦╩╬│") == ""
}

// readSeparated reads comma-, semicolon- or tab-separated values whose rows all have as many fields as the first.
func readSeparated(text string) [][]string {
	head, _, _ := strings.Cut(text, "\n")
	for _, comma := range []rune{'\t', ',', ';'} {
		if strings.Count(head, string(comma)) < 2 {
			continue
		}
		rows, err := readFields(text, comma)
		if err == nil && len(rows) > leastRows && !ragged(rows) {
			return rows
		}
	}
	return nil
}

// readFields reads separated values: at once where nothing is quoted.
func readFields(text string, comma rune) ([][]string, error) {
	if strings.IndexByte(text, '"') < 0 {
		return splitFields(text, byte(comma))
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes = comma, true
	if comma == '\t' {
		r.FieldsPerRecord = -1 // empty fields at the end are often left out
	}
	return r.ReadAll()
}

// splitFields reads values that are not quoted. All rows have as many as the first, or fewer where tabs separate them.
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

// ragged reports whether a row has more fields than the head, or one alone.
func ragged(rows [][]string) bool {
	for _, r := range rows {
		if len(r) > len(rows[0]) || len(r) < 2 {
			return true
		}
	}
	return false
}
