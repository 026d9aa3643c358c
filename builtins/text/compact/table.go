package compact

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// column is a member of the records of a list.
type column struct {
	name     string
	full     int     // number of rows that have a value
	distinct int     // number of distinct values
	length   float64 // mean length, in bytes
	worth    float64
	width    int  // maximum width of a cell; 0 if not shown
	same     bool // all rows have the same value
	said     bool // and the header says so
	decides  bool // it tells the state of something: a status, an error
	first    string
	below    string  // the directory that all its cells begin with, which is not shown in them
	values   []int32 // number of each row's value, from 1; 0 for an empty cell
}

// table is a list of records with their scalars as columns.
type table struct {
	path    string
	cols    []*column
	cells   [][]string // row, column
	inOrder bool       // columns are shown in their original order, not best first
}

// tableText writes records as a table: values that are equal in all rows once, then the deciding columns and those that
// are worth most, one row per line. If not all rows fit at the columns that fill a line, the unusual rows come first.
// Columns that are left out are named.
func (s *shortener) tableText(t *table, bytes int) (text string, kept int) {
	rows := len(t.cells)
	for _, c := range t.cols {
		c.width = 0
	}
	head, order := s.plan(t, bytes)
	room := bytes - min(t.costOfNames(), bytes/namesLeast)
	used := len(head) + rows
	base := t.lineOfRecord(order)
	for _, c := range base { // as wide as when not all rows are shown: more room never shows less
		c.width = cellOfTable
		used += t.costOfColumn(c, c.width)
	}
	if len(base) == 0 || used > room {
		return s.someRows(t, head, order, bytes)
	}
	shown := slices.Clone(base)
	for _, c := range slices.Concat(base, order) { // widen these before adding others
		if c.width == 0 && c.worth < .2 && len(shown) >= 3 {
			continue
		}
		had := 0
		if c.width > 0 {
			had = t.costOfColumn(c, c.width)
		}
		for _, w := range []int{400, 120, 50, narrowCell} {
			if w <= c.width || w == 400 && c.length > 150 {
				continue
			}
			if cost := t.costOfColumn(c, w) - had; used+cost <= room {
				if c.width == 0 {
					shown = append(shown, c)
				}
				c.width = w
				used += cost
				break
			}
		}
	}
	used += t.addShort(order, room-used)
	t.widen(order, room-used)
	text = t.write(head, indexesOf(t.cells))
	return head + t.leftColumns(min(bytes-len(text), bytes/namesShare)) + text[len(head):], rows
}

const (
	narrowCell  = 24  // minimum width of a cell
	longDecider = 100 // mean length from which a column tells more than a state
)

// The names of left-out columns take at most 1/namesShare of a table, and get at least 1/namesLeast.
const (
	namesShare = 8
	namesLeast = 20
)

// baseColumns returns the columns that rows are never shown without: the deciding ones, and the best of the others.
func (t *table) baseColumns(order []*column) []*column {
	if t.inOrder {
		return t.lineColumns(order)
	}
	var labels, out []*column
	var name *column
	for _, c := range order {
		switch {
		case c.decides && c.length <= narrowCell && (c.full*2 > len(t.cells) || c.full*4 <= len(t.cells)): // for most rows, or for the few that differ
			if len(out) < maxDeciding {
				out = append(out, c)
			}
			continue
		case naming[strings.ToLower(lastName(c.name))] && c.full*2 > len(t.cells) && (name == nil || strings.Count(c.name, ".") < strings.Count(name.name, ".")):
			name = c
		}
		labels = append(labels, c)
	}
	if k := slices.Index(labels, name); k >= minShown { // what an identifier refers to
		copy(labels[minShown:], labels[minShown-1:k])
		labels[minShown-1] = name
	}
	return append(labels[:min(len(labels), minShown)], out...)
}

// lineOfRecord returns the columns that rows are shown with: the base, and two more for records.
func (t *table) lineOfRecord(order []*column) []*column {
	base := t.baseColumns(order)
	if t.inOrder {
		return base
	}
	for _, c := range order[:min(len(base)+2, len(order))] {
		if !slices.Contains(base, c) {
			base = append(base, c)
		}
	}
	return base
}

const (
	minShown    = 2 // columns of records
	maxDeciding = 3 // in addition
)

// costOfNames returns the length of the names of all columns.
func (t *table) costOfNames() int {
	n := 30
	for _, c := range t.cols {
		n += len(c.name) + 2
	}
	return n
}

// leftColumns returns a note with the columns that have values but are not shown, best first.
func (t *table) leftColumns(bytes int) string {
	var left []*column
	for _, c := range t.cols {
		if c.width == 0 && !c.said && c.full > 0 {
			left = append(left, c)
		}
	}
	slices.SortStableFunc(left, byWorth)
	var names []string
	room := bytes - len(" [… columns left out: ] and 99 more")
	for _, c := range left {
		if room -= len(c.name) + 2; room < 0 {
			break
		}
		names = append(names, c.name)
	}
	switch n := len(left) - len(names); {
	case len(left) == 0:
		return ""
	case len(names) == 0:
		return " " + note("%v columns left out", n)
	case n > 0:
		return " " + note("columns left out: %s and %v more", strings.Join(names, ", "), n)
	}
	return " " + note("columns left out: %s", strings.Join(names, ", "))
}

// maxColumns is the maximum number of columns to read: records that all have different names are not a table.
const maxColumns = 256

// maxOfCell is the length from which nothing is appended to a cell.
const maxOfCell = 2000

// flatten calls fn with each scalar of a record and its path; items of a list share the path of the list.
func flatten(v *value, path string, depth int, fn func(name, text string)) {
	if depth > 12 {
		return
	}
	switch {
	case v.kind == rawjson.Object && len(v.kids) > 0:
		for i := range v.kids {
			flatten(&v.kids[i], joinPath(path, v.keys[i]), depth+1, fn)
		}
	case v.kind == rawjson.Array && len(v.kids) > 0:
		for i := range v.kids[:min(len(v.kids), 60)] {
			name := path
			if depth == 0 {
				name = strconv.Itoa(i)
			}
			flatten(&v.kids[i], name, depth+1, fn)
		}
	default:
		t := oneLine(v.text)
		if t == "" {
			t = emptyText(v)
		}
		if t != "" {
			fn(path, t)
		}
	}
}

// emptyText returns the text for a value without text.
func emptyText(v *value) string {
	switch {
	case v.cut:
		return ""
	case v.kind == rawjson.Null:
		return "null"
	case v.kind == rawjson.Object:
		return "{}"
	case v.kind == rawjson.Array:
		return "[]"
	}
	return `""`
}

// isNothing reports whether a cell stands for a missing value.
func isNothing(cell string) bool {
	return cell == "" || cell == "null" || cell == `""` || cell == "[]" || cell == "{}"
}

// plan returns the header of a table and its columns that differ between rows, best first.
func (s *shortener) plan(t *table, bytes int) (head string, order []*column) {
	n := len(t.cells)
	count := "[" + withCommas(n) + " rows]"
	if s.part {
		count = note("%s rows", s.formatCount(n))
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
		c.said = false
		if c.full == 0 && !c.same {
			continue
		}
		c.decides = (c.distinct > 1 || c.full < n) && c.length <= longDecider && anyOf(nameWords(lastName(c.name)), deciding)
		c.worth = s.worthOfColumn(t, k, ids)
		if c.same && n >= 3 {
			if len(c.first) <= 60 && worthOfName(c.name) > -1 {
				equal = append(equal, c)
			}
			continue
		}
		order = append(order, c)
	}
	slices.SortStableFunc(order, byWorth)
	order = t.withoutRepeated(order)
	slices.SortStableFunc(equal, byWorth)
	var same []string
	size := 0
	for _, c := range equal {
		if size += len(c.name) + len(c.first) + 3; size > bytes/8 {
			break
		}
		same = append(same, c.name+"="+c.first)
		c.said = true
	}
	if len(same) > 0 {
		head += "; " + s.allOf("rows") + ": " + strings.Join(same, "; ")
	}
	head += t.namesBelow()
	return head, order
}

// namesBelow returns the directories that are removed from the cells of columns.
func (t *table) namesBelow() string {
	out := ""
	for _, c := range t.cols {
		if c.below != "" && !c.said {
			out += "; " + c.name + " below " + c.below
		}
	}
	return out
}

// comparedColumns is the number of the best columns that others are compared with.
const comparedColumns = 6

// withoutRepeated moves columns to the end that repeat a better one in all rows where they have a value.
func (t *table) withoutRepeated(order []*column) []*column {
	at := map[*column]int{}
	for k, c := range t.cols {
		at[c] = k
	}
	var best, out, repeated []*column
	for _, c := range order {
		if slices.ContainsFunc(best, func(b *column) bool { return t.repeatsColumn(at[c], at[b]) }) {
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

// repeatsColumn reports whether the cells of a column equal those of another wherever it has any.
func (t *table) repeatsColumn(k, other int) bool {
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

// byWorth orders columns by worth, the best first.
func byWorth(a, b *column) int { return cmp.Compare(b.worth, a.worth) }

func (s *shortener) worthOfColumn(t *table, k int, ids []int) float64 {
	c, n := t.cols[k], float64(len(t.cells))
	v := worthOfName(c.name)
	switch {
	case c.decides:
		v += columnDecides
	case t.hasExceptions(c):
		v += columnExcepts
	}
	if c.length >= lengthOfHash && isHex(c.first[strings.IndexByte(c.first, ':')+1:]) {
		v -= columnHash
	}
	v += columnMany*float64(c.distinct)/n + columnFull*float64(c.full)/n - t.costOfLength(k) - .25*float64(strings.Count(c.name, "."))
	if few := float64(c.full) * sparse / n; few < 1 {
		v -= columnSparse * (1 - few)
	}
	if len(s.subject.wordsOf(strings.Join(nameWords(c.name), " "))) > 0 {
		v += 1.5
	}
	hits := map[int32]bool{}
	for _, row := range t.cells[:min(len(t.cells), 200)] {
		for _, w := range s.subject.wordsOf(row[k]) {
			hits[w] = true
		}
	}
	v += min(1.5, .5*float64(len(hits)))
	if strings.HasPrefix(c.first, "http://") || strings.HasPrefix(c.first, "https://") {
		v--
		if t.isDerived(k, ids) {
			v -= 2
		}
	}
	return v
}

// hasExceptions reports whether most rows have one value of a column and few have another.
func (t *table) hasExceptions(c *column) bool {
	if c.distinct < 2 || c.distinct > 4 || c.full*2 < len(t.cells) {
		return false
	}
	var count [5]int
	for _, v := range c.values {
		count[v]++
	}
	most := max(count[1], count[2], count[3], count[4])
	return most < len(t.cells) && most*5 >= len(t.cells)*4
}

// costOfLength returns what a column loses for the length of its cells. In an aligned table the last column has free
// text, and often says what a row is about.
func (t *table) costOfLength(k int) float64 {
	cost := t.cols[k].length / columnLong
	if t.inOrder && k == len(t.cols)-1 {
		return min(cost, 1) - columnFree
	}
	return cost
}

// isDerived reports whether the addresses of a column contain the identifiers of another and so can be reconstructed.
func (t *table) isDerived(k int, ids []int) bool {
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

func (t *table) costOfColumn(c *column, width int) int {
	k := slices.Index(t.cols, c)
	n := len(c.name) + 3
	for _, row := range t.cells {
		n += min(len(row[k]), width) + 3
	}
	return n
}

// addShort adds columns of short values, which are cheap and still informative, and returns what they take.
func (t *table) addShort(order []*column, left int) (used int) {
	for _, c := range order {
		if c.width > 0 || c.distinct < 2 || c.length > narrowCell {
			continue
		}
		if cost := t.costOfColumn(c, narrowCell); used+cost <= left {
			c.width = narrowCell
			used += cost
		}
	}
	return used
}

// widen gives the remaining bytes to at most two columns of long texts, which are cut to an equal width.
func (t *table) widen(order []*column, left int) {
	var rest []*column
	for _, c := range order {
		if c.width == 0 && c.length > 20 && worthOfName(c.name) > -1 && len(rest) < 2 {
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

// write writes the rows at the columns that have a width, the best column first.
func (t *table) write(head string, rows []int) string {
	var cols []int
	for k, c := range t.cols {
		if c.width > 0 {
			cols = append(cols, k)
		}
	}
	if !t.inOrder {
		slices.SortStableFunc(cols, func(a, b int) int { return byWorth(t.cols[a], t.cols[b]) })
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
			line[i] = clipMiddle(t.cells[r][k], t.cols[k].width)
		}
		if row := strings.TrimRight(strings.Join(line, " | "), " |"); row != "" {
			b.WriteByte('\n')
			b.WriteString(row)
		}
	}
	return b.String()
}

// If not all rows of a table of columns fit, as many columns are shown as fill a line.
const (
	lineOfTable = 110 // bytes
	cellOfTable = 60
)

// lineColumns returns the columns of a table of columns that fill a line, best first.
func (t *table) lineColumns(order []*column) []*column {
	var out []*column
	used := 0
	for _, c := range order {
		if cost := min(int(c.length), cellOfTable) + 3; len(out) < 2 || used+cost <= lineOfTable {
			out = append(out, c)
			used += cost
		}
	}
	return out
}

// someColumns selects the columns to show if not all rows fit.
func (t *table) someColumns(order []*column) {
	if !t.inOrder {
		for _, c := range t.lineOfRecord(order) {
			c.width = cellOfTable
		}
		return
	}
	used := 0
	line := t.lineColumns(order)
	for _, c := range line {
		used += min(int(c.length), cellOfTable) + 3
	}
	for _, c := range line {
		c.width = cellOfTable
		if c.length < cellOfTable {
			c.width += max(0, lineOfTable-used)
		}
	}
}

// worthOfRows returns the worth of the rows of a table: what they say about the subject and faults, values that few
// rows have, each worth less when it recurs, and numbers far from the others.
func (s *shortener) worthOfRows(t *table) []float64 {
	worth := make([]float64, len(t.cells))
	for r, row := range t.cells {
		fault := false
		for k, v := range row {
			if n := len(s.subject.wordsOf(v)); n > 0 { // a cell that is the word tells more than one that contains it
				worth[r] += float64(n) * (1 + 4/float64(4+len(v)))
			}
			if c := t.cols[k]; !fault && (c.decides || t.inOrder && c.distinct*4 <= len(t.cells)) {
				fault = tellsError(v)
			}
		}
		if fault {
			worth[r]++
		}
	}
	if len(worth) > 0 {
		worth[0] += edgeOfTable
		worth[len(worth)-1] += edgeOfTable
	}
	for k, c := range t.cols {
		if worthOfName(c.name) < 3 && t.markFar(k, worth) && len(t.cols) <= fewColumns {
			continue
		}
		seldom := c.full*4 < len(t.cells) // having any value is rare
		if c.same || anyOf(nameWords(lastName(c.name)), dating) || !seldom && (c.distinct < 2 || c.distinct >= len(t.cells)/4 && c.distinct > 3) {
			continue // its values do not repeat
		}
		t.markFew(c, worth, seldom)
	}
	return worth
}

// The worth of rows.
const (
	edgeOfTable = .3 // for the first and the last
	decidesRow  = 2  // factor for a rare value of a deciding column
	farRow      = 3  // for the number farthest from the others; the next gets a half of it, the next a third
	maxFar      = 5  // number of such outliers, above and below
	edgeRow     = .5 // for the largest and the smallest number if they are not outliers
	fewRows     = 5  // a value of at most this many rows is rare,
	rarely      = 6  // or of at most 1/rarely of all rows
	fewColumns  = 3  // in a table with at most this many columns an amount counts only as a number, not as a rare value
	largeRow    = .3 // for the largest of a column of amounts, and less for the others
)

// markFew raises the worth of rows with a rare value, or with any value of a column that is mostly empty.
func (t *table) markFew(c *column, worth []float64, seldom bool) {
	times := 1.0
	if c.decides {
		times = decidesRow
	}
	count, seen := make([]int, c.distinct+1), make([]int, c.distinct+1)
	for _, v := range c.values {
		count[v]++
	}
	k := slices.Index(t.cols, c)
	most := len(c.values)
	if !c.decides {
		most = max(fewRows, most/rarely)
	}
	for r, v := range c.values {
		if v == 0 || count[v] > most && !seldom || seldom && isNothing(t.cells[r][k]) {
			continue
		}
		if seldom {
			worth[r] += times / math.Sqrt(float64(c.full)*float64(1+seen[0]))
			seen[0]++
		} else {
			worth[r] += times / math.Sqrt(float64(count[v]*(1+seen[v])))
			seen[v]++
		}
	}
}

// numberedRow is a row with its number in a column.
type numberedRow struct {
	row int
	n   float64
}

// numbersOf returns the numbers of a column, or nil if it is not numeric, and whether they only go up or only down.
func (t *table) numbersOf(k int) (cells []numberedRow, steady bool) {
	c := t.cols[k]
	if c.distinct < 3 || c.full < 8 {
		return nil, false
	}
	up, down, odd := true, true, 0
	for r, row := range t.cells {
		n, ok := numberOf(row[k])
		if !ok {
			if odd++; odd > 8 && odd > len(cells) && row[k] != "" {
				return nil, false
			}
			continue
		}
		if len(cells) > 0 {
			last := cells[len(cells)-1].n
			up, down = up && n >= last, down && n <= last
		}
		cells = append(cells, numberedRow{r, n})
	}
	if len(cells)*10 < c.full*8 || len(cells) < 8 {
		return nil, false
	}
	return cells, up || down
}

// markFar raises the worth of rows whose number is an outlier, and reports whether the column is one of amounts.
func (t *table) markFar(k int, worth []float64) (isAmount bool) {
	cells, steady := t.numbersOf(k)
	if cells == nil {
		return false
	}
	slices.SortStableFunc(cells, func(a, b numberedRow) int { return cmp.Compare(b.n, a.n) })
	n := len(cells)
	if isAmount = anyOf(nameWords(lastName(t.cols[k].name)), amounts); isAmount {
		for i, x := range cells {
			worth[x.row] += largeRow * float64(n-i) / float64(n)
		}
	}
	if steady { // a counter
		if first := cells[0].row; isAmount && t.cols[k].distinct*4 > n && first < cells[n-1].row { // sorted by it
			for i, x := range cells {
				worth[x.row] += float64(n-i) / float64(n)
			}
		}
		return isAmount
	}
	high, low := cells[n/10].n, cells[n-1-n/10].n
	spread := high - low
	for i := range min(maxFar, n/4) {
		if x := cells[i]; x.n > high+spread {
			worth[x.row] += farRow / float64(i+1)
		} else if i == 0 {
			worth[x.row] += edgeRow
		}
		if x := cells[n-1-i]; x.n < low-spread {
			worth[x.row] += farRow / float64(i+1)
		} else if i == 0 {
			worth[x.row] += edgeRow
		}
	}
	return isAmount
}

// numberOf parses a cell as a number: with commas, a sign, a percent sign or a unit of size.
func numberOf(cell string) (float64, bool) {
	if cell == "" || !isDigit(cell[len(cell)-1]) && strings.IndexByte("%KMGTPBikm", cell[len(cell)-1]) < 0 || len(cell) > 24 {
		return 0, false
	}
	num := strings.TrimRight(cell, "%KMGTPBikm")
	n, err := strconv.ParseFloat(strings.ReplaceAll(num, ",", ""), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	switch unit := cell[len(num):]; unit {
	case "":
	case "m":
		n /= 1000
	default:
		n *= math.Pow(1024, float64(1+strings.IndexByte("KMGTP", unit[0]&^0x20)))
	}
	return n, true
}

// The values of deciding columns and of columns with few values are counted if not all rows are shown.
const (
	maxCounted  = 12 // values of a column
	maxGroups   = 8  // values of a column that is not informative otherwise
	minInGroup  = 20 // rows for each of them
	minRanged   = 50 // rows
	countsShare = 6  // counts take at most 1/countsShare of a table
)

// countsOf returns lines that say how many rows have which value, for columns with few values.
func (s *shortener) countsOf(t *table, order []*column, bytes int) string {
	if s.part {
		return ""
	}
	out := ""
	add := func(text string) {
		if text != "" && len(out)+len(text) < bytes {
			out += "\n" + text
		}
	}
	by := map[counting][]*column{}
	for _, c := range order {
		by[t.countingOf(c)] = append(by[t.countingOf(c)], c)
	}
	for _, c := range by[byGroup] {
		add(t.countsOf(c, bytes*2/3))
	}
	for _, c := range slices.Concat(by[byDecision], by[byLean]) {
		add(t.countsOf(c, bytes))
	}
	for _, c := range order {
		add(t.rangeOf(c))
	}
	for _, c := range by[byFew] {
		add(t.countsOf(c, bytes))
	}
	return out
}

// counting is the reason to count the values of a column.
type counting uint8

const (
	notCounted counting = iota
	byGroup             // it says whose a row is
	byDecision          // it tells the state of something
	byLean              // most rows have the same value
	byFew               // it has few values
)

func (t *table) countingOf(c *column) counting {
	switch {
	case c.distinct < 2 || c.distinct*4 > len(t.cells) || c.length > narrowCell:
	case grouping[lastName(c.name)]:
		return byGroup
	case c.distinct <= maxCounted && c.decides:
		return byDecision
	case c.distinct <= maxCounted && worthOfName(c.name) >= 0 && t.hasMajority(c):
		return byLean
	case c.distinct <= maxGroups && c.distinct*minInGroup <= c.full:
		return byFew
	}
	return notCounted
}

// rangeOf returns the minimum, the median and the maximum of a column of amounts.
func (t *table) rangeOf(c *column) string {
	k := slices.Index(t.cols, c)
	if len(t.cells) < minRanged || !anyOf(nameWords(lastName(c.name)), amounts) {
		return ""
	}
	cells, steady := t.numbersOf(k)
	if cells == nil || steady {
		return ""
	}
	slices.SortStableFunc(cells, func(a, b numberedRow) int { return cmp.Compare(a.n, b.n) })
	at := func(i int) string { return t.cells[cells[i].row][k] }
	return note("%s: least %s, median %s, most %s", c.name, at(0), at(len(cells)/2), at(len(cells)-1))
}

// hasMajority reports whether at least half of the rows have the same value of a column.
func (t *table) hasMajority(c *column) bool {
	count := make([]int, c.distinct+1)
	for _, v := range c.values {
		count[v]++
	}
	return slices.Max(count[1:])*2 >= len(t.cells)
}

// countsOf returns how many rows have which value of a column, the most frequent first, as many as fit.
func (t *table) countsOf(c *column, bytes int) string {
	type counted struct {
		text string
		n    int
	}
	all := make([]counted, c.distinct)
	k := slices.Index(t.cols, c)
	for r, v := range c.values {
		if v > 0 {
			all[v-1].text = t.cells[r][k]
			all[v-1].n++
		}
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.n, a.n) })
	var parts []string
	for i, x := range all {
		if bytes -= len(x.text) + len(" (99), "); i == maxCounted || bytes < len("99 more") && i < len(all)-1 {
			parts = append(parts, withCommas(len(all)-i)+" more")
			break
		}
		parts = append(parts, clipMiddle(x.text, 2*narrowCell)+" ("+withCommas(x.n)+")")
	}
	return note("%s: %s", c.name, strings.Join(parts, ", "))
}

// someRows writes as many rows as fit, with the best columns.
func (s *shortener) someRows(t *table, head string, order []*column, bytes int) (text string, kept int) {
	for _, c := range order {
		c.width = 0
	}
	t.someColumns(order)
	head += t.leftColumns(max(bytes/namesShare, 60))
	head += s.countsOf(t, order, bytes/countsShare)
	left := bytes - len(t.write(head, nil)) - 10
	worth := s.worthOfRows(t)
	ranked := indexesOf(t.cells)
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
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
		return cutWhole(head, bytes), 0
	}
	slices.Sort(take)
	return t.write(head, take), len(take)
}
