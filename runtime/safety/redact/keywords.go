package redact

import (
	"cmp"
	"slices"
)

// automaton finds all keywords of all detectors in one pass over the text, ignoring ASCII case: an Aho-Corasick
// automaton stored as a table. A byte is first mapped to a class, since keywords use some fifty different bytes.
type automaton struct {
	class   [256]uint8
	classes int
	next    []uint16 // [state*classes+class], states with output numbered from first
	out     [][]hit  // [state-first]
	first   int
}

// hit names a detector and the length of its keyword that ended here.
type hit struct {
	detector int32
	length   int32
}

// maxStates keeps a state number within the table's element type.
const maxStates = 1 << 16

// node is a state while the automaton is built. The zero node is the root.
type node struct {
	edges []edge // by byte
	fail  int
	out   []hit
}

type edge struct {
	c  byte
	to int
}

// child returns the node reached by c, or 0.
func (n *node) child(c byte) int {
	for _, e := range n.edges {
		if e.c == c {
			return e.to
		}
	}
	return 0
}

// newAutomaton builds the table for the keywords of each detector. ok is false if they need too many states.
func newAutomaton(keywords [][]string) (a *automaton, ok bool) {
	nodes := buildTrie(keywords)
	if len(nodes) >= maxStates {
		return nil, false
	}
	order := linkFailures(nodes)
	a = &automaton{first: len(nodes)}
	for i := range nodes {
		if len(nodes[i].out) > 0 {
			a.first--
		}
	}
	// States with output get the highest numbers, so that one comparison per byte finds them.
	number := make([]int, len(nodes))
	plain, withOut := 0, a.first
	for _, v := range order {
		if len(nodes[v].out) > 0 {
			number[v] = withOut
			withOut++
		} else {
			number[v] = plain
			plain++
		}
	}
	a.fillTable(nodes, order, number)
	return a, true
}

func buildTrie(keywords [][]string) []node {
	nodes := make([]node, 1, 4096)
	for d, list := range keywords {
		for _, word := range list {
			at := 0
			for i := range len(word) {
				c := lowerByte(word[i])
				to := nodes[at].child(c)
				if to == 0 {
					to = len(nodes)
					nodes = append(nodes, node{})
					nodes[at].edges = append(nodes[at].edges, edge{c, to})
				}
				at = to
			}
			if at != 0 {
				nodes[at].out = append(nodes[at].out, hit{int32(d), int32(len(word))})
			}
		}
	}
	return nodes
}

// linkFailures sets each node's longest proper suffix and adds that suffix's output. It returns the nodes by depth.
func linkFailures(nodes []node) []int {
	order := make([]int, 1, len(nodes))
	for i := 0; i < len(order); i++ {
		at := order[i]
		slices.SortFunc(nodes[at].edges, func(x, y edge) int { return cmp.Compare(x.c, y.c) })
		for _, e := range nodes[at].edges {
			order = append(order, e.to)
			if at == 0 {
				continue
			}
			f := nodes[at].fail
			for f != 0 && nodes[f].child(e.c) == 0 {
				f = nodes[f].fail
			}
			nodes[e.to].fail = nodes[f].child(e.c)
			if suffix := nodes[nodes[e.to].fail].out; len(suffix) > 0 {
				out := append(slices.Clip(nodes[e.to].out), suffix...)
				slices.SortStableFunc(out, func(x, y hit) int { return cmp.Compare(x.detector, y.detector) })
				nodes[e.to].out = out
			}
		}
	}
	return order
}

// fillTable writes the table: a state's row is a copy of its longest suffix's, overwritten by its own edges.
func (a *automaton) fillTable(nodes []node, order, number []int) {
	var used [256]bool
	for i := range nodes {
		for _, e := range nodes[i].edges {
			used[e.c] = true
		}
	}
	a.classes = 1
	for c := range used {
		if used[c] {
			a.class[c] = uint8(a.classes)
			a.classes++
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	a.next = make([]uint16, len(nodes)*a.classes)
	a.out = make([][]hit, len(nodes)-a.first)
	for _, v := range order {
		row := a.next[number[v]*a.classes:][:a.classes]
		if v != 0 {
			copy(row, a.next[number[nodes[v].fail]*a.classes:][:a.classes])
		}
		for _, e := range nodes[v].edges {
			row[a.class[e.c]] = uint16(number[e.to])
		}
		if number[v] >= a.first {
			a.out[number[v]-a.first] = nodes[v].out
		}
	}
}

// scan calls fn with the end offset of every keyword occurrence, in order, until fn returns false.
func (a *automaton) scan(text string, fn func(end int, hits []hit) bool) {
	state, classes, next := 0, a.classes, a.next
	for i := range len(text) {
		state = int(next[state*classes+int(a.class[text[i]])])
		if state >= a.first && !fn(i+1, a.out[state-a.first]) {
			return
		}
	}
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lowerASCII lowers ASCII letters only, so that offsets stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}
