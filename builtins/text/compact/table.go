package compact

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// column is one member of the records of a list.
type column struct {
	name     string
	full     int     // rows that have it
	distinct int     // values
	length   float64 // mean, in bytes
	worth    float64
	width    int // of a cell at most; 0 is not shown
	first    string
}

// table is a list of records with their scalars at the columns.
type table struct {
	path  string
	cols  []*column
	cells [][]string // row, column
}

// tableText writes records as a table: what is equal in all rows once, then the columns that are worth most, one row a
// line. Where not all rows fit, those that speak of the subject and those that differ come first.
func (s *shortener) tableText(path string, rows []value, bytes int) (text string, kept int) {
	t := readTable(path, rows)
	head, order := s.plan(t, bytes)
	used := len(head) + len(rows)
	var shown []*column
	for _, c := range order {
		if c.worth < .2 && len(shown) >= 3 {
			continue
		}
		for _, w := range []int{400, 120, 50, 24} {
			if w == 400 && c.length > 150 {
				continue
			}
			if cost := t.cost(c, w); used+cost <= bytes {
				c.width = w
				used += cost
				shown = append(shown, c)
				break
			}
		}
	}
	if len(shown) == 0 || len(rows) > 8 && len(shown) < 2 {
		return s.someRows(t, head, order, bytes)
	}
	t.widen(order, shown, bytes-used)
	return t.write(head, t.all()), len(rows)
}

// mostColumns is how many columns are read: records of which each has names of its own are no table.
const mostColumns = 256

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
			next = k + 1
			if !ok && len(t.cols) == mostColumns {
				return
			}
			if !ok {
				k = len(t.cols)
				next = k + 1
				at[name] = k
				t.cols = append(t.cols, &column{name: name})
			}
			for len(row) <= k {
				row = append(row, "")
			}
			switch {
			case row[k] == "":
				row[k] = text
			case len(row[k]) < 2000 && !strings.Contains(row[k], text):
				row[k] += ", " + text
			}
		})
		t.cells = append(t.cells, row)
	}
	for r := range t.cells {
		for len(t.cells[r]) < len(t.cols) {
			t.cells[r] = append(t.cells[r], "")
		}
	}
	for k, c := range t.cols {
		seen := map[string]bool{}
		for _, row := range t.cells {
			v := row[k]
			if v == "" {
				continue
			}
			if c.full == 0 {
				c.first = v
			}
			c.full++
			c.length += float64(len(v))
			seen[v] = true
		}
		c.distinct = len(seen)
		c.length /= float64(max(1, c.full))
	}
	return t
}

// flatten calls fn with each scalar of a record and its path; the items of a list share theirs.
func flatten(v *value, path string, depth int, fn func(name, text string)) {
	if depth > 12 {
		return
	}
	switch v.kind {
	case rawjson.Object:
		for i := range v.kids {
			flatten(&v.kids[i], joinPath(path, v.keys[i]), depth+1, fn)
		}
	case rawjson.Array:
		for i := range v.kids[:min(len(v.kids), 60)] {
			name := path
			if depth == 0 {
				name = strconv.Itoa(i)
			}
			flatten(&v.kids[i], name, depth+1, fn)
		}
	default:
		if t := oneLine(v.text); t != "" {
			fn(path, t)
		}
	}
}

// plan is the head of a table and its columns that differ, best first.
func (s *shortener) plan(t *table, bytes int) (head string, order []*column) {
	n := len(t.cells)
	count := "[" + grouped3(n) + " rows]"
	if s.part {
		count = note("%s rows", s.count(n))
	}
	head = strings.TrimSpace(t.path + " " + count)
	var ids []int
	for k, c := range t.cols {
		if worthOfName(c.name) >= 3 && float64(c.distinct) >= .9*float64(n) && c.length <= 60 {
			ids = append(ids, k)
		}
	}
	var equal []*column
	for k, c := range t.cols {
		if c.full == 0 {
			continue
		}
		c.worth = s.worthOfColumn(t, k, ids)
		if c.full == n && c.distinct == 1 && n >= 3 {
			if len(c.first) <= 60 && worthOfName(c.name) > -1 {
				equal = append(equal, c)
			}
			continue
		}
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b *column) int { return compareWorth(b, a) })
	slices.SortStableFunc(equal, func(a, b *column) int { return compareWorth(b, a) })
	var same []string
	size := 0
	for _, c := range equal {
		if size += len(c.name) + len(c.first) + 3; size > bytes/8 {
			break
		}
		same = append(same, c.name+"="+c.first)
	}
	if len(same) > 0 {
		head += "; all: " + strings.Join(same, "; ")
	}
	return head, order
}

func compareWorth(a, b *column) int {
	switch {
	case a.worth < b.worth:
		return -1
	case a.worth > b.worth:
		return 1
	}
	return 0
}

func (s *shortener) worthOfColumn(t *table, k int, ids []int) float64 {
	c, n := t.cols[k], float64(len(t.cells))
	v := worthOfName(c.name)
	v += columnMany*float64(c.distinct)/n + columnFull*float64(c.full)/n - c.length/columnLong - .25*float64(strings.Count(c.name, "."))
	if len(s.subject.in(strings.Join(nameWords(c.name), " "))) > 0 {
		v += 1.5
	}
	hits := map[string]bool{}
	for _, row := range t.cells[:min(len(t.cells), 200)] {
		for _, w := range s.subject.in(row[k]) {
			hits[w] = true
		}
	}
	v += min(1.5, .5*float64(len(hits)))
	if strings.HasPrefix(c.first, "http://") || strings.HasPrefix(c.first, "https://") {
		v--
		if t.derived(k, ids) {
			v -= 2
		}
	}
	return v
}

// derived reports whether the addresses of a column hold the identifiers of another: they can be put together again.
func (t *table) derived(k int, ids []int) bool {
	rows := t.cells[:min(len(t.cells), 20)]
	for _, id := range ids {
		n := 0
		for _, row := range rows {
			if id != k && row[id] != "" && strings.Contains(row[k], row[id]) {
				n++
			}
		}
		if n*10 >= len(rows)*8 {
			return true
		}
	}
	return false
}

func (t *table) cost(c *column, width int) int {
	k := slices.Index(t.cols, c)
	n := len(c.name) + 3
	for _, row := range t.cells {
		n += min(len(row[k]), width) + 3
	}
	return n
}

// widen gives what is left to up to two columns of long texts, cut evenly.
func (t *table) widen(order, shown []*column, left int) {
	var rest []*column
	for _, c := range order {
		if !slices.Contains(shown, c) && c.length > 20 && worthOfName(c.name) > -1 && len(rest) < 2 {
			rest = append(rest, c)
		}
	}
	n := len(t.cells)
	if len(rest) == 0 || left < n*30 {
		return
	}
	for _, c := range rest {
		c.width = max(12, min(left/n/len(rest)-4, 400))
	}
}

func (t *table) all() []int {
	out := make([]int, len(t.cells))
	for i := range out {
		out[i] = i
	}
	return out
}

// write writes the rows at the columns that have a width, the best column first.
func (t *table) write(head string, rows []int) string {
	var cols []int
	for k, c := range t.cols {
		if c.width > 0 {
			cols = append(cols, k)
		}
	}
	sort.SliceStable(cols, func(a, b int) bool { return t.cols[cols[a]].worth > t.cols[cols[b]].worth })
	var b strings.Builder
	b.WriteString(head)
	b.WriteByte('\n')
	for i, k := range cols {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(t.cols[k].name)
	}
	for _, r := range rows {
		b.WriteByte('\n')
		line := make([]string, len(cols))
		for i, k := range cols {
			line[i] = clip(t.cells[r][k], t.cols[k].width)
		}
		b.WriteString(strings.TrimRight(strings.Join(line, " | "), " |"))
	}
	return b.String()
}

// someRows writes as many rows as fit at the four best columns.
func (s *shortener) someRows(t *table, head string, order []*column, bytes int) (text string, kept int) {
	for _, c := range order[:min(4, len(order))] {
		c.width = 60
	}
	left := bytes - len(t.write(head, nil)) - 40
	worth := make([]float64, len(t.cells))
	ranked := t.all()
	count := make([]map[string]int, len(t.cols)) // of the values of columns that repeat theirs
	for k, c := range t.cols {
		if c.distinct > 1 && c.distinct < len(t.cells)/4 {
			count[k] = map[string]int{}
			for _, row := range t.cells {
				count[k][row[k]]++
			}
		}
	}
	for r, row := range t.cells {
		worth[r] = float64(len(s.subject.in(strings.Join(row, " "))))
		for k, n := range count {
			if n != nil && row[k] != "" {
				worth[r] += 1 / math.Sqrt(float64(n[row[k]]))
			}
		}
	}
	sort.SliceStable(ranked, func(a, b int) bool { return worth[ranked[a]] > worth[ranked[b]] })
	var take []int
	for _, r := range ranked {
		cost := 1
		for k, c := range t.cols {
			if c.width > 0 {
				cost += min(len(t.cells[r][k]), c.width) + 3
			}
		}
		if cost > left {
			continue
		}
		left -= cost
		take = append(take, r)
	}
	sort.Ints(take)
	return t.write(head, take), len(take)
}
