package compact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// readTable turns the scalars of records into columns, in the order in which they first appear.
func readTable(path string, rows []value) *table {
	t := &table{path: path, cells: make([][]string, 0, len(rows))}
	at := map[string]int{}
	joinMaps(rows)
	for i := range rows {
		row := make([]string, len(t.cols))
		next := 0 // the column after the previous one: records are mostly alike
		flatten(&rows[i], "", 0, func(name, text string) {
			k, ok := next, next < len(t.cols) && t.cols[next].name == name
			if !ok {
				k, ok = at[name]
			}
			if !ok && len(t.cols) == maxColumns {
				return
			}
			if !ok {
				k = len(t.cols)
				at[name] = k
				t.cols = append(t.cols, &column{name: name})
			}
			next = k + 1
			row = appendCell(row, k, text)
		})
		t.cells = append(t.cells, row)
	}
	t.measure()
	return t
}

const minOfMap = 16 // names of an object before it is joined

// joinMaps joins each object into one text if its keys cannot be columns because they differ from record to record, as
// the keys of dependencies do.
func joinMaps(rows []value) {
	names, count := map[string]map[string]bool{}, map[string]int{}
	for i := range rows[:min(len(rows), 200)] {
		for k, name := range rows[i].keys {
			of := &rows[i].kids[k]
			if of.kind != rawjson.Object {
				continue
			}
			if names[name] == nil {
				names[name] = map[string]bool{}
			}
			count[name] += len(of.keys)
			for _, n := range of.keys {
				names[name][n] = true
			}
		}
	}
	for i := range rows {
		for k, name := range rows[i].keys {
			of := &rows[i].kids[k]
			if n := len(names[name]); of.kind != rawjson.Object || n < minOfMap || n*4 < count[name] || !allScalars(of) {
				continue
			}
			var parts []string
			for m, n := range of.keys {
				parts = append(parts, strings.TrimSpace(n+" "+of.kids[m].text))
			}
			*of = value{kind: rawjson.String, text: strings.Join(parts, ", ")}
		}
	}
}

// appendCell appends a text to a cell of a row: the cells of a list of objects correspond by position, so equal ones
// are not dropped.
func appendCell(row []string, k int, text string) []string {
	for len(row) <= k {
		row = append(row, "")
	}
	switch {
	case row[k] == "":
		row[k] = text
	case len(row[k]) < maxOfCell:
		row[k] += ", " + text
	case !strings.HasSuffix(row[k], omission):
		row[k] += ", " + omission
	}
	return row
}

// tableOfCells returns a table of rows below a header, whose columns are shown in their order.
func tableOfCells(cells [][]string) *table {
	t := &table{cells: cells[1:], inOrder: true}
	for _, name := range cells[0][:min(len(cells[0]), maxColumns)] {
		t.cols = append(t.cols, &column{name: name})
	}
	for r, row := range t.cells {
		row = row[:min(len(row), len(t.cols))]
		for k := range row {
			row[k] = oneLine(row[k])
		}
		t.cells[r] = row
	}
	for k := range t.cols {
		t.hoist(k)
	}
	t.measure()
	return t
}

// hoist removes the directory that all cells of a column begin with; the header of the table names it instead.
func (t *table) hoist(k int) {
	var paths []string
	for _, row := range t.cells {
		if k >= len(row) || !strings.Contains(row[k], "/") || strings.Contains(row[k], " ") {
			return
		}
		paths = append(paths, row[k])
	}
	_, below := commonDir(paths, 0)
	if len(below) < minHoisted {
		return
	}
	t.cols[k].below = below
	for _, row := range t.cells {
		row[k] = row[k][len(below):]
	}
}

const minHoisted = 10 // bytes, of a directory worth naming once

// measure computes the statistics of the columns: non-empty cells, distinct values, mean length. It also numbers the
// value of each cell, so that the frequency of values can be counted.
func (t *table) measure() {
	values := newNumbers(len(t.cells))
	for r, row := range t.cells {
		if len(row) < len(t.cols) {
			t.cells[r] = append(row, make([]string, len(t.cols)-len(row))...)
		}
	}
	for k, c := range t.cols {
		values.clear()
		c.values = make([]int32, len(t.cells))
		cells := 0
		for r, row := range t.cells {
			v := row[k]
			if v == "" {
				continue
			}
			if !isNothing(v) {
				c.full++
			}
			if cells++; cells == 1 {
				c.first = v
			}
			c.length += float64(len(v))
			n, _ := values.of(v)
			c.values[r] = n + 1
		}
		c.distinct = values.len()
		c.same = c.distinct == 1 && cells == len(t.cells)
		c.length /= float64(max(1, cells))
	}
}
