package compact

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// member is a scalar, or a short list of scalars, with its path.
type member struct {
	path string
	of   string // path of the object that it belongs to
	text string
}

// section is a part of a JSON result with its own form.
type section struct {
	path    string
	members []member // scalars, in order
	rows    []value  // of a table
	table   *table   // of the rows, once they were read
	plain   string   // lines to show verbatim
	long    string   // a text of paragraphs
	list    []string // scalars
	size    float64
}

// longText is the length from which a text is shortened on its own.
const longText = 800

// shortenJSON writes lists of records as tables, shortens long texts as prose, and writes everything else as members.
func (s *shortener) shortenJSON(v *value, bytes int) Summary {
	b := &blocks{}
	b.walk(v, "")
	parts := b.sections()
	out, kept := s.shareBytes(parts, bytes)
	unshown := b.unshown
	for i, t := range out {
		if t == "" {
			unshown = append(unshown, parts[i].name())
		}
	}
	if len(unshown) > 0 { // make room to name them
		out, kept = s.shareBytes(parts, bytes-max(bytes/namesLeast, 60))
	}
	texts := slices.DeleteFunc(out, func(t string) bool { return t == "" })
	if text := namesLeftOut(unshown, bytes-len(strings.Join(texts, "\n"))-1); text != "" {
		texts = append(texts, text)
	}
	return Summary{Text: strings.Join(texts, "\n"), Units: b.units, Kept: kept}
}

// name returns the name of a section that is not shown, with its size.
func (p *section) name() string {
	switch path := p.path; {
	case p.rows != nil:
		return path + " (" + withCommas(len(p.rows)) + " rows)"
	case p.list != nil:
		return path + " (" + withCommas(len(p.list)) + " items)"
	case p.long != "":
		return path + " (" + withCommas(len(p.long)) + " bytes)"
	}
	if len(p.members) == 1 {
		return p.members[0].path
	}
	return withCommas(len(p.members)) + " members"
}

// namesLeftOut returns a note with the names of parts that are not shown, as many as fit.
func namesLeftOut(names []string, bytes int) string {
	for n := len(names); n > 0; n-- {
		text := strings.Join(names[:n], ", ")
		if n < len(names) {
			text += " and " + withCommas(len(names)-n) + " more"
		}
		if text = note("left out: %s", text); len(text) <= bytes {
			return text
		}
	}
	return ""
}

// blocks collects the parts of a value.
type blocks struct {
	of      string // path of the current object: names of members may contain dots
	members []member
	tables  []section
	longs   []section
	lists   []section
	unshown []string // names of sections beyond maxSections
	units   int
}

func (b *blocks) walk(v *value, path string) {
	switch v.kind {
	case rawjson.Object:
		if isOpenAPI(v) {
			b.openAPI(v, path)
			return
		}
		if rows := keyedRows(v); rows != nil {
			b.units += len(rows)
			b.tables = append(b.tables, section{path: path, rows: rows, size: math.Pow(float64(sizeOf(v)), sectionSize)})
			return
		}
		of := b.of
		for i := range v.kids {
			b.of = path
			b.walk(&v.kids[i], joinPath(path, v.keys[i]))
		}
		b.of = of
	case rawjson.Array:
		b.walkList(v, path)
	default:
		b.addScalar(path, oneLine(v.text), v.text)
	}
}

func (b *blocks) addScalar(path, line, text string) {
	b.units++
	switch {
	case line == "":
	case len(line) > longText:
		b.longs = append(b.longs, section{path: path, long: text, size: math.Pow(float64(len(text)), sectionSize)})
	default:
		b.members = append(b.members, member{path: path, of: b.of, text: line})
	}
}

func (b *blocks) walkList(v *value, path string) {
	if isTable(v) {
		b.units += len(v.kids)
		b.tables = append(b.tables, section{path: path, rows: v.kids, size: math.Pow(float64(sizeOf(v)), sectionSize)})
		return
	}
	if rows := groupedRows(v); rows != nil {
		b.units += len(rows)
		b.tables = append(b.tables, section{path: path, rows: rows, size: math.Pow(float64(sizeOf(v)), sectionSize)})
		return
	}
	if len(v.kids) > 0 && allScalars(v) {
		var texts []string
		for i := range v.kids {
			texts = append(texts, cmp.Or(oneLine(v.kids[i].text), emptyText(&v.kids[i])))
		}
		if line := strings.Join(texts, ", "); len(line) > memberBytes && len(texts) > 2 {
			b.units += len(texts)
			b.lists = append(b.lists, section{path: path, list: texts, size: math.Pow(float64(len(line)), sectionSize)})
		} else {
			b.addScalar(path, line, strings.Join(texts, ",\n"))
		}
		return
	}
	for i := range v.kids {
		b.walk(&v.kids[i], path+"["+strconv.Itoa(i)+"]")
	}
}

func joinPath(path, key string) string {
	if key == "" {
		key = `""`
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// oneLine returns a text with its white space collapsed to single spaces.
func oneLine(text string) string {
	for i := range len(text) {
		if c := text[i]; c == '\n' || c == '\r' || c == '\t' || c == ' ' && (i == 0 || i+1 == len(text) || text[i+1] == ' ') {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return text
}

func allScalars(v *value) bool {
	for i := range v.kids {
		if k := v.kids[i].kind; k == rawjson.Object || k == rawjson.Array {
			return false
		}
	}
	return true
}

// isTable reports whether a list has at least three items that are mostly objects, or mostly lists of scalars.
func isTable(v *value) bool {
	if len(v.kids) < 3 {
		return false
	}
	objects, lists := 0, 0
	for i := range v.kids {
		k := &v.kids[i]
		switch {
		case k.kind == rawjson.Object:
			objects++
		case k.kind == rawjson.Array && len(k.kids) > 1 && allScalars(k):
			lists++
		}
	}
	most := len(v.kids) * 8 / 10
	return objects >= most || lists >= most
}

// Conditions for the members of an object to be records.
const (
	minKeyed  = 8
	minShared = 3            // scalars that most records have in common
	manyKeyed = 2 * minKeyed // with at least this many objects one is enough
)

// keyedRows returns the members of an object as rows, each with its key, if they are similar records; else nil.
func keyedRows(v *value) []value {
	if len(v.kids) < minKeyed {
		return nil
	}
	count, nested := map[string]int{}, 0
	for i := range v.kids {
		k := &v.kids[i]
		if k.kind != rawjson.Object {
			return nil
		}
		for m := range k.kids {
			switch kind := k.kids[m].kind; {
			case kind == rawjson.Array && !allScalars(&k.kids[m]):
				if nested++; nested*5 > len(v.kids) {
					return nil // a row has no place for nested records
				}
			case kind != rawjson.Object && kind != rawjson.Array:
				count[k.keys[m]]++
			}
		}
	}
	shared := 0
	for _, n := range count {
		if n*10 >= len(v.kids)*6 {
			shared++
		}
	}
	if shared == 0 || shared < minShared && len(v.kids) < manyKeyed {
		return nil
	}
	out := make([]value, len(v.kids))
	for i := range v.kids {
		k := &v.kids[i]
		out[i] = value{kind: rawjson.Object, keys: append([]string{"key"}, k.keys...),
			kids: append([]value{{kind: rawjson.String, text: v.keys[i]}}, k.kids...)}
	}
	return out
}

// groupedRows returns the rows of a list of lists of objects, each with its group; nil for any other list.
func groupedRows(v *value) []value {
	if len(v.kids) < 3 {
		return nil
	}
	var out []value
	for i := range v.kids {
		k := &v.kids[i]
		if k.kind != rawjson.Array {
			return nil
		}
		for _, o := range k.kids {
			if o.kind != rawjson.Object {
				return nil
			}
			o.keys = append(slices.Clone(o.keys), "group")
			o.kids = append(slices.Clone(o.kids), value{kind: rawjson.Number, text: "g[" + strconv.Itoa(i) + "]"})
			out = append(out, o)
		}
	}
	return out
}

func sizeOf(v *value) int {
	n := len(v.text) + 2
	for i := range v.kids {
		n += sizeOf(&v.kids[i]) + 1
		if v.keys != nil {
			n += len(v.keys[i]) + 3
		}
	}
	return n
}

// minSection is the number of bytes from which a section is shown.
const minSection = 60

// maxSections is the number of tables and texts that are shown: the largest.
const maxSections = 12

// sections returns the members first, then the largest of the other sections, largest first.
func (b *blocks) sections() []section {
	var size float64
	for _, m := range b.members {
		size += float64(len(m.text)) + float64(len(m.path))/3
	}
	rest := slices.Concat(b.tables, b.lists, b.longs)
	slices.SortStableFunc(rest, func(a, b section) int { return cmp.Compare(b.size, a.size) })
	if len(rest) > maxSections {
		for i := range rest[maxSections:] {
			b.unshown = append(b.unshown, rest[maxSections+i].name())
		}
		rest = rest[:maxSections]
	}
	var out []section
	if len(b.members) > 0 {
		if len(rest) > 0 {
			size = min(size, max(math.Pow(size, .9), 400))
		}
		out = append(out, section{members: b.members, size: size})
	}
	return append(out, rest...)
}

// shareBytes writes the sections within a number of bytes: small ones first, so that what they leave goes to larger ones.
func (s *shortener) shareBytes(parts []section, bytes int) (out []string, kept int) {
	out = make([]string, len(parts))
	shown := make([]int, len(parts))
	rooms := make([]int, len(parts))
	order := indexesOf(parts)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[a].size, parts[b].size) })
	left := bytes - len(parts)
	for k, i := range order {
		var sum float64
		for _, j := range order[k:] {
			sum += parts[j].size
		}
		room := int(float64(left) * parts[i].size / sum)
		switch {
		case parts[i].plain != "":
			room = min(len(parts[i].plain), left/3)
		case parts[i].members != nil: // a few small members say what the rest is
			least := min(sizeOfMembers(parts[i].members), left/4)
			room = max(room, min(max(least, minSection), left))
		case parts[i].table != nil && int(parts[i].size) < left/4: // a small table next to a large one, whole
			room = max(room, int(parts[i].size)+minSection)
		}
		if room < minSection && parts[i].plain == "" {
			continue
		}
		rooms[i] = room
		out[i], shown[i] = s.sectionText(&parts[i], room)
		left -= len(out[i])
	}
	for _, i := range order { // give what is left to sections that can use it
		if left < 200 {
			break
		}
		if len(out[i])+left <= rooms[i] {
			continue // it already had that much
		}
		if t, n := s.sectionText(&parts[i], len(out[i])+left); len(t) > len(out[i]) {
			left -= len(t) - len(out[i])
			out[i], shown[i] = t, n
		}
	}
	for _, n := range shown {
		kept += n
	}
	return out, kept
}

// sectionText writes one section, and returns how many of its units are shown.
func (s *shortener) sectionText(p *section, bytes int) (text string, kept int) {
	switch {
	case p.members != nil:
		return s.membersText(p.members, bytes)
	case p.rows != nil && p.table == nil:
		p.table = readTable(p.path, p.rows)
		fallthrough
	case p.table != nil:
		text, kept = s.tableText(p.table, bytes)
		if kept == 0 || !strings.Contains(text, "\n") && !strings.Contains(text, "; all: ") { // a header without rows
			return "", 0
		}
		return text, kept
	case p.plain != "":
		return strings.TrimPrefix(s.shortenAside(p.plain, bytes), "\n"), 0
	case p.list != nil:
		return s.listText(p, bytes)
	}
	head := p.path + ": "
	if len(head) >= bytes-40 {
		return "", 0
	}
	room := bytes - len(head)
	if room >= minNoted {
		room -= noteBytes
	}
	out := s.shortenLines(Prose, p.long, room)
	if out.Kept < out.Units && room < bytes-len(head) {
		out.Text += "\n" + leftNote(Prose, out)
	}
	return head + out.Text, 1
}
