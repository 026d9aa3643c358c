package predict

import (
	"math"
	"slices"
	"strings"
)

// Tool is one tool that could be shown.
type Tool struct {
	Server, Name string
	Description  string   // may be empty
	Parameters   []string // their names; may be empty
}

// ID returns the name of the tool in traces, models and rankings: server/name, or the name alone
// for a tool without a server.
func (t Tool) ID() string {
	if t.Server == "" {
		return validName(t.Name)
	}
	return validName(t.Server + "/" + t.Name)
}

// ParseTool splits an ID into server and name.
func ParseTool(id string) Tool {
	server, name, found := strings.Cut(id, "/")
	if !found {
		return Tool{Name: id}
	}
	return Tool{Server: server, Name: name}
}

// Weights of the words of a tool by where they occur.
const (
	nameWord        = 1.0
	descriptionWord = 0.3
	maxToolWords    = 60
)

// Catalog is the tools that could be shown, prepared once for many rankings. It is
// immutable.
type Catalog struct {
	ids     []string // sorted, each once
	index   map[string]int
	servers []string       // names, sorted
	server  []int          // by tool
	members [][]int        // tools by server
	words   [][]term       // by tool, with the server's name; sorted by word; unit length
	own     [][]term       // the same for the name alone
	numbers map[string]int // of words
	weights []float64      // by number of the word: its rarity
	named   [][]string     // by server: stems of its name
}

// term is a word of a tool with its weight.
type term struct {
	word   int
	weight float64
}

// NewCatalog prepares tools. Of tools with the same ID only the first one counts.
func NewCatalog(tools []Tool) *Catalog {
	first := map[string]Tool{}
	c := &Catalog{index: map[string]int{}, numbers: map[string]int{}}
	for _, t := range tools {
		id := t.ID()
		if _, twice := first[id]; !twice {
			first[id] = t
			c.ids = append(c.ids, id)
		}
	}
	slices.Sort(c.ids)
	number := map[string]int{}
	for _, id := range c.ids {
		c.servers = append(c.servers, first[id].Server)
	}
	slices.Sort(c.servers)
	c.servers = slices.Compact(c.servers)
	for i, s := range c.servers {
		number[s] = i
		c.named = append(c.named, stems(s, 8))
	}
	c.members = make([][]int, len(c.servers))
	for i, id := range c.ids {
		c.index[id] = i
		s := number[first[id].Server]
		c.server = append(c.server, s)
		c.members[s] = append(c.members[s], i)
	}
	c.weighWords(first)
	return c
}

// Len returns the number of tools.
func (c *Catalog) Len() int { return len(c.ids) }

// Tools returns the ids of the tools, sorted.
func (c *Catalog) Tools() []string { return slices.Clone(c.ids) }

// weighWords computes the vectors of words: the weight of the place times the word's rarity among
// the tools, ln(1 + N/n).
func (c *Catalog) weighWords(tools map[string]Tool) {
	type bag map[string]float64
	all, own := make([]bag, len(c.ids)), make([]bag, len(c.ids))
	in := map[string]float64{}
	for i, id := range c.ids {
		t := tools[id]
		all[i], own[i] = bag{}, bag{}
		for _, w := range stems(t.Description+" "+strings.Join(t.Parameters, " "), maxToolWords) {
			all[i][w] = descriptionWord
		}
		for _, w := range stems(t.Name, maxToolWords) {
			all[i][w], own[i][w] = nameWord, nameWord
		}
		for _, w := range c.named[c.server[i]] {
			all[i][w] = nameWord
		}
		for w := range all[i] {
			in[w]++
		}
	}
	list := make([]string, 0, len(in))
	for w := range in {
		list = append(list, w)
	}
	slices.Sort(list)
	for i, w := range list {
		c.numbers[w] = i
		c.weights = append(c.weights, math.Log(1+float64(len(c.ids))/in[w]))
	}
	for i := range c.ids {
		c.words = append(c.words, c.unitVector(all[i]))
		c.own = append(c.own, c.unitVector(own[i]))
	}
}

// unitVector returns the vector of a bag of words, of length 1.
func (c *Catalog) unitVector(bag map[string]float64) []term {
	var out []term
	for w, weight := range bag {
		if n, ok := c.numbers[w]; ok {
			out = append(out, term{n, weight * c.weights[n]})
		}
	}
	slices.SortFunc(out, func(a, b term) int { return a.word - b.word })
	length := 0.0
	for _, t := range out {
		length += t.weight * t.weight
	}
	for i := range out {
		out[i].weight /= math.Sqrt(length)
	}
	return out
}
