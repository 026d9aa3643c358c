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
	values   []int32 // of each row, numbered from 1; 0 for an empty cell
}

// table is a list of records with their scalars at the columns.
type table struct {
	path    string
	cols    []*column
	cells   [][]string // row, column
	inOrder bool       // its columns are shown in their order, not the best first
}

// tableText writes records as a table: what is equal in all rows once, then the columns that are worth most, one row a
// line. Where not all rows fit, those that speak of the subject and those that differ come first.
func (s *shortener) tableText(t *table, bytes int) (text string, kept int) {
	rows := len(t.cells)
	for _, c := range t.cols {
		c.width = 0
	}
	head, order := s.plan(t, bytes)
	used := len(head) + rows
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
	if len(shown) == 0 || rows > 8 && len(shown) < min(t.leastShown(), len(order)) {
		return s.someRows(t, head, order, bytes)
	}
	t.widen(order, shown, bytes-used)
	return t.write(head, t.all()), rows
}

// mostColumns is how many columns are read: records of which each has names of its own are no table.
const mostColumns = 256

// mostOfCell is the length from which nothing is added to a cell.
const mostOfCell = 2000

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
	order = t.withoutRepeated(order)
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

// comparedColumns is how many of the best columns others are held against.
const comparedColumns = 6

// withoutRepeated puts columns that say what a better one says, in all rows that have them, behind the others.
func (t *table) withoutRepeated(order []*column) []*column {
	at := map[*column]int{}
	for k, c := range t.cols {
		at[c] = k
	}
	var best, out, repeated []*column
	for _, c := range order {
		if slices.ContainsFunc(best, func(b *column) bool { return t.repeats(at[c], at[b]) }) {
			repeated = append(repeated, c)
			c.worth = 0
			continue
		}
		out = append(out, c)
		if len(best) < comparedColumns {
			best = append(best, c)
		}
	}
	return append(out, repeated...)
}

// repeats reports whether the cells of a column are those of another wherever it has any.
func (t *table) repeats(k, other int) bool {
	rows := t.cells[:min(len(t.cells), 200)]
	n := 0
	for _, row := range rows {
		if row[k] == "" {
			continue
		}
		if row[k] != row[other] {
			return false
		}
		n++
	}
	return n > 1
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
	v += columnMany*float64(c.distinct)/n + columnFull*float64(c.full)/n - t.costOfLength(k) - .25*float64(strings.Count(c.name, "."))
	if few := float64(c.full) * sparse / n; few < 1 {
		v -= columnSparse * (1 - few)
	}
	if len(s.subject.in(strings.Join(nameWords(c.name), " "))) > 0 {
		v += 1.5
	}
	hits := map[int32]bool{}
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

// costOfLength is what a column loses for the length of its cells. In a table of columns the last is the free one, and
// often tells what a row is about.
func (t *table) costOfLength(k int) float64 {
	cost := t.cols[k].length / columnLong
	if t.inOrder && k == len(t.cols)-1 {
		return min(cost, 1) - columnFree
	}
	return cost
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
	if !t.inOrder {
		sort.SliceStable(cols, func(a, b int) bool { return t.cols[cols[a]].worth > t.cols[cols[b]].worth })
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteByte('\n')
	for i, k := range cols {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(t.cols[k].name)
	}
	line := make([]string, len(cols))
	for _, r := range rows {
		for i, k := range cols {
			line[i] = clip(t.cells[r][k], t.cols[k].width)
		}
		if row := strings.TrimRight(strings.Join(line, " | "), " |"); row != "" {
			b.WriteByte('\n')
			b.WriteString(row)
		}
	}
	return b.String()
}

// leastShown is how many columns are shown of a table all of whose rows are: in one of columns a row tells little
// without its neighbours.
func (t *table) leastShown() int {
	if t.inOrder {
		return 4
	}
	return 2
}

// Of a table of columns not all of whose rows fit, as many columns are shown as make a line.
const (
	lineOfTable = 110 // bytes
	cellOfTable = 60
)

// someColumns chooses the columns that are shown where not all rows fit.
func (t *table) someColumns(order []*column) {
	if !t.inOrder {
		for _, c := range order[:min(4, len(order))] {
			c.width = cellOfTable
		}
		return
	}
	used := 0
	for k, c := range order {
		if cost := min(int(c.length), cellOfTable) + 3; k < 2 || used+cost <= lineOfTable {
			c.width = cellOfTable
			used += cost
		}
	}
	for _, c := range order {
		if c.width > 0 && c.length < cellOfTable {
			c.width += max(0, lineOfTable-used)
		}
	}
}

// worthOfRows is what the rows of a table are worth: what they say of the subject and of faults, and values that few rows
// have, each less as it comes again.
func (s *shortener) worthOfRows(t *table) []float64 {
	worth := make([]float64, len(t.cells))
	for r, row := range t.cells {
		fault := false
		for _, v := range row {
			worth[r] += float64(len(s.subject.in(v)))
			fault = fault || t.inOrder && tellsError(v)
		}
		if fault {
			worth[r]++
		}
	}
	for _, c := range t.cols {
		if c.distinct < 2 || c.distinct >= len(t.cells)/4 { // it does not repeat its values
			continue
		}
		count, seen := make([]int, c.distinct+1), make([]int, c.distinct+1)
		for _, v := range c.values {
			count[v]++
		}
		for r, v := range c.values {
			if v > 0 {
				worth[r] += 1 / math.Sqrt(float64(count[v]*(1+seen[v])))
				seen[v]++
			}
		}
	}
	return worth
}

// someRows writes as many rows as fit at the best columns.
func (s *shortener) someRows(t *table, head string, order []*column, bytes int) (text string, kept int) {
	for _, c := range order {
		c.width = 0
	}
	t.someColumns(order)
	left := bytes - len(t.write(head, nil)) - 40
	worth := s.worthOfRows(t)
	ranked := t.all()
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
	if len(take) == 0 {
		return head, 0
	}
	sort.Ints(take)
	return t.write(head, take), len(take)
}
