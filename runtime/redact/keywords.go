package redact

import (
	"cmp"
	"slices"
)

// automaton finds all keywords of all detectors in one pass over the text, ignoring ASCII case: an Aho-Corasick
// automaton written out as a table. A byte is first mapped to a class, since keywords use some fifty different bytes.
type automaton struct {
	class   [256]uint8
	classes int
	next    []uint16 // [state*classes+class], states with output numbered from firstOut
	out     [][]hit  // [state-firstOut]
	first   int
}

// hit names a detector and the length of its keyword that ended here.
type hit struct {
	detector int32
	length   int32
}

// maxStates keeps a state number in the table's element type.
const maxStates = 1 << 16

// node is a state while the automaton is built.
type node struct {
	next map[byte]int
	fail int
	out  []hit
}

// newAutomaton builds the table for the keywords of each detector. ok is false when they need too many states.
func newAutomaton(keywords [][]string) (a *automaton, ok bool) {
	nodes := trie(keywords)
	if len(nodes) >= maxStates {
		return nil, false
	}
	order := linkFailures(nodes)
	// States with output get the highest numbers, so that one comparison a byte finds them.
	number := make([]int, len(nodes))
	a = &automaton{}
	for _, withOut := range []bool{false, true} {
		if withOut {
			a.first = len(nodes) - countOut(nodes)
		}
		n := a.first
		for _, v := range order {
			if (len(nodes[v].out) > 0) == withOut {
				number[v] = n
				n++
			}
		}
	}
	a.fill(nodes, order, number)
	return a, true
}

func countOut(nodes []node) (n int) {
	for i := range nodes {
		if len(nodes[i].out) > 0 {
			n++
		}
	}
	return n
}

func trie(keywords [][]string) []node {
	nodes := []node{{next: map[byte]int{}}}
	for d, list := range keywords {
		for _, word := range list {
			at := 0
			for i := range len(word) {
				c := lowerByte(word[i])
				to, ok := nodes[at].next[c]
				if !ok {
					to = len(nodes)
					nodes = append(nodes, node{next: map[byte]int{}})
					nodes[at].next[c] = to
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
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for _, c := range sortedKeys(nodes[at].next) {
			to := nodes[at].next[c]
			order = append(order, to)
			if at == 0 {
				continue
			}
			f := nodes[at].fail
			for f != 0 && nodes[f].next[c] == 0 {
				f = nodes[f].fail
			}
			nodes[to].fail = nodes[f].next[c]
			nodes[to].out = append(nodes[to].out, nodes[nodes[to].fail].out...)
			slices.SortFunc(nodes[to].out, func(x, y hit) int { return cmp.Compare(x.detector, y.detector) })
		}
	}
	return order
}

func sortedKeys(m map[byte]int) []byte {
	keys := make([]byte, 0, len(m))
	for c := range m {
		keys = append(keys, c)
	}
	slices.Sort(keys)
	return keys
}

func (a *automaton) fill(nodes []node, order, number []int) {
	a.classes = 1
	for i := range nodes {
		for c := range nodes[i].next {
			if a.class[c] == 0 {
				a.class[c] = 1 // numbered below, in byte order
			}
		}
	}
	for c := range a.class {
		if a.class[c] != 0 {
			a.class[c] = uint8(a.classes)
			a.classes++
		}
	}
	a.next = make([]uint16, len(nodes)*a.classes)
	a.out = make([][]hit, len(nodes)-a.first)
	for _, v := range order {
		row := a.next[number[v]*a.classes:][:a.classes]
		if v != 0 {
			copy(row, a.next[number[nodes[v].fail]*a.classes:][:a.classes])
		}
		for c, to := range nodes[v].next {
			row[a.class[c]] = uint16(number[to])
		}
		if number[v] >= a.first {
			a.out[number[v]-a.first] = nodes[v].out
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
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
