package compact

import "strings"

// readTable lays the scalars of records out in columns, in the order in which they first appear.
func readTable(path string, rows []value) *table {
	t := &table{path: path, cells: make([][]string, 0, len(rows))}
	at := map[string]int{}
	for i := range rows {
		row := make([]string, len(t.cols))
		next := 0 // the column behind the last one: rows are mostly alike
		flatten(&rows[i], "", 0, func(name, text string) {
			k, ok := next, next < len(t.cols) && t.cols[next].name == name
			if !ok {
				k, ok = at[name]
			}
			if !ok && len(t.cols) == mostColumns {
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

// appendCell puts a text into a cell of a row: behind what is there.
func appendCell(row []string, k int, text string) []string {
	for len(row) <= k {
		row = append(row, "")
	}
	switch {
	case row[k] == "":
		row[k] = text
	case len(row[k]) < mostOfCell && !strings.Contains(row[k], text):
		row[k] += ", " + text
	}
	return row
}

// tableOfCells is a table of rows below a head, whose columns are shown in their order.
func tableOfCells(cells [][]string) *table {
	t := &table{cells: cells[1:], inOrder: true}
	for _, name := range cells[0][:min(len(cells[0]), mostColumns)] {
		t.cols = append(t.cols, &column{name: name})
	}
	for r, row := range t.cells {
		row = row[:min(len(row), len(t.cols))]
		for k := range row {
			row[k] = oneLine(row[k])
		}
		t.cells[r] = row
	}
	t.measure()
	return t
}

// measure counts what the columns have: cells that are full, values, their length. Each cell gets the number of its
// value, so that how often it stands can be counted.
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
		for r, row := range t.cells {
			v := row[k]
			if v == "" {
				continue
			}
			if c.full == 0 {
				c.first = v
			}
			c.full++
			c.length += float64(len(v))
			n, _ := values.of(v)
			c.values[r] = n + 1
		}
		c.distinct = values.len()
		c.length /= float64(max(1, c.full))
	}
}
