package predict

import (
	"cmp"
	"slices"
)

// slack is the share by which a model may grow over a limit before it is cut, so that cutting is
// rare.
const slack = 4 // a quarter

// trim cuts whatever has grown over its limit: the least counted goes first, then the least
// recently seen, then by name.
func (m *Model) trim() {
	if exceedsLimit(len(m.tools.names), m.limits.Tools) {
		m.keepTools()
	}
	cutTable(m.after, m.limits.Pairs, func(a, b int32) int { return cmp.Compare(m.tools.names[a], m.tools.names[b]) }, m.tools.names)
	cutTable(m.chains, m.limits.Contexts, m.compareContexts, m.tools.names)
	if cutTable(m.words, m.limits.Words, cmp.Compare[string], m.tools.names) || exceedsLimit(len(m.asked), m.limits.Words) {
		for w := range m.asked {
			if m.words.rows[w] == nil {
				delete(m.asked, w)
			}
		}
	}
}

func exceedsLimit(n, limit int) bool { return n > limit+limit/slack }

// compareContexts orders chains by the names in them.
func (m *Model) compareContexts(a, b context) int {
	for i := range a {
		if c := cmp.Compare(m.nameOf(a[i]), m.nameOf(b[i])); c != 0 {
			return c
		}
	}
	return 0
}

func (m *Model) nameOf(tool int32) string {
	if tool < 0 {
		return ""
	}
	return m.tools.names[tool]
}

// cutTable leaves limit followers in a table, and reports whether it removed any.
func cutTable[K comparable](t table[K], limit int, compare func(a, b K) int, names []string) bool {
	if !exceedsLimit(t.cells(), limit) {
		return false
	}
	type entry struct {
		from K
		to   int32
		cell cell
	}
	var all []entry
	for from, r := range t.rows {
		for to, c := range r.to {
			all = append(all, entry{from, to, c})
		}
	}
	slices.SortFunc(all, func(x, y entry) int {
		return cmp.Or(cmp.Compare(y.cell.count, x.cell.count), cmp.Compare(y.cell.last, x.cell.last),
			compare(x.from, y.from), cmp.Compare(names[x.to], names[y.to]))
	})
	for _, e := range all[limit:] {
		t.drop(e.from, e.to)
	}
	return true
}

// keepTools keeps as many tools as the limit allows, with their counts.
func (m *Model) keepTools() {
	order := make([]int32, len(m.tools.names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := m.uses[a], m.uses[b]
		return cmp.Or(cmp.Compare(y.sessions, x.sessions), cmp.Compare(y.last, x.last), cmp.Compare(m.tools.names[a], m.tools.names[b]))
	})
	kept := order[:min(m.limits.Tools, len(order))]
	slices.Sort(kept)
	m.renumber(kept)
}

// renumber keeps the listed tools, in that order.
func (m *Model) renumber(kept []int32) {
	var tools interner
	var uses []toolUse
	to := make([]int32, len(m.tools.names))
	for i := range to {
		to[i] = -1
	}
	for _, old := range kept {
		to[old] = tools.add(m.tools.names[old])
		uses = append(uses, m.uses[old])
	}
	m.after = renumberTable(m.after, func(a int32) (int32, bool) { return to[a], to[a] >= 0 }, to)
	m.chains = renumberTable(m.chains, func(c context) (context, bool) {
		for i, id := range c {
			if id >= 0 {
				if c[i] = to[id]; c[i] < 0 {
					return c, false
				}
			}
		}
		return c, true
	}, to)
	m.words = renumberTable(m.words, func(w string) (string, bool) { return w, true }, to)
	m.tools, m.uses = tools, uses
	m.dropServers()
}

// renumberTable returns a table with new numbers, without the entries that do not get one.
func renumberTable[K comparable](t table[K], key func(K) (K, bool), to []int32) table[K] {
	out := newTable[K]()
	for from, r := range t.rows {
		k, ok := key(from)
		if !ok {
			continue
		}
		for id, c := range r.to {
			if to[id] >= 0 {
				out.put(k, to[id], c)
			}
		}
	}
	return out
}

// dropServers removes servers without any remaining tool.
func (m *Model) dropServers() {
	var servers interner
	for _, t := range m.tools.names {
		servers.add(ServerOf(t))
	}
	to := make([]int32, len(m.servers.names))
	for i, name := range m.servers.names {
		to[i] = -1
		if n, ok := servers.find(name); ok {
			to[i] = n
		}
	}
	m.moves = renumberTable(m.moves, func(a int32) (int32, bool) { return to[a], to[a] >= 0 }, to)
	m.servers = servers
}
