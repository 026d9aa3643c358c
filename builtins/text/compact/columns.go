package compact

import (
	"encoding/csv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// Texts whose lines are rows: of comma- or tab-separated values, of a Markdown table, or of columns aligned by spaces
// as commands print them.

// leastRows is how many rows make a table of a text.
const leastRows = 4

// readRows reads a text as records, nil where it is no table.
func readRows(text string) []value {
	if cells := readCells(text); cells != nil {
		return asRecords(cells)
	}
	return nil
}

// readCells reads a text as rows of cells, the head first, nil where it is no table.
func readCells(text string) [][]string {
	for _, read := range []func(string) [][]string{readMarkdownTable, readSeparated, readAligned} {
		if cells := read(text); len(cells) > leastRows {
			return cells
		}
	}
	return nil
}

// asRecords makes objects of rows, by the names of the first.
func asRecords(cells [][]string) []value {
	head := cells[0]
	out := make([]value, 0, len(cells))
	n := 0
	for _, row := range cells[1:] {
		n += min(len(row), len(head))
	}
	kids := make([]value, 0, n)
	for _, row := range cells[1:] {
		row = row[:min(len(row), len(head))]
		from := len(kids)
		for _, c := range row {
			kids = append(kids, value{kind: rawjson.String, text: c})
		}
		out = append(out, value{kind: rawjson.Object, keys: head[:len(row):len(row)], kids: kids[from:len(kids):len(kids)]})
	}
	return out
}

func readMarkdownTable(text string) [][]string {
	var out [][]string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line = strings.TrimSpace(line)
		if len(line) < 3 || line[0] != '|' || line[len(line)-1] != '|' {
			return nil
		}
		if strings.Trim(line, "|-: ") == "" {
			continue
		}
		row := strings.Split(line[1:len(line)-1], "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		out = append(out, row)
	}
	return out
}

// readSeparated reads comma-, semicolon- or tab-separated values whose rows all have as many fields as the first.
func readSeparated(text string) [][]string {
	head, _, _ := strings.Cut(text, "\n")
	for _, comma := range []rune{'\t', ',', ';'} {
		if strings.Count(head, string(comma)) < 2 {
			continue
		}
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.LazyQuotes = comma, true
		if comma == '\t' {
			r.FieldsPerRecord = -1 // empty fields at the end are often left out
		}
		rows, err := r.ReadAll()
		if err == nil && len(rows) > leastRows && !ragged(rows) {
			return rows
		}
	}
	return nil
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

// readAligned reads columns that are aligned by two spaces or more below a head in capitals, as kubectl, docker and ps
// print them.
func readAligned(text string) [][]string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= leastRows || strings.ToUpper(lines[0]) != lines[0] {
		return nil
	}
	starts := columnStarts(lines[0])
	if len(starts) < 3 {
		return nil
	}
	var out [][]string
	for _, l := range lines {
		var row []string
		for i, at := range starts {
			end := len(l)
			if i+1 < len(starts) {
				end = min(end, starts[i+1])
			}
			if at >= len(l) {
				row = append(row, "")
				continue
			}
			if at > 0 && l[at-1] != ' ' && out != nil {
				return nil // a cell crosses the column: not aligned after all
			}
			row = append(row, strings.TrimSpace(l[at:end]))
		}
		out = append(out, row)
	}
	return out
}

// columnStarts are where the names of a head begin, two spaces or more apart.
func columnStarts(head string) []int {
	var out []int
	for i := 0; i < len(head); i++ {
		if head[i] != ' ' && (i == 0 || i > 1 && head[i-1] == ' ' && head[i-2] == ' ') {
			out = append(out, i)
		}
	}
	return out
}
