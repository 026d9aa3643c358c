package quotes

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// Generate makes questions from a library's documents, half of each kind:
//
//   - topic: "What is HEADING?", or the heading itself if it is a question, for a heading
//     with at least two words that are not stop words and with prose right below it. The
//     facts are the three rarest words of the first two sentences there that the question
//     does not hold.
//   - name: "Which is it: W, W, W, …?" for a sentence with a name in code that few
//     sentences have, asked by at most five of its other words, every second one, in
//     their order. The fact is the name.
//
// No question holds a word of its facts. The seed decides which of the possible questions
// are taken.
func Generate(l *Library, most int, seed uint64) []answers.Case {
	list := answer.Units(nil)
	for _, p := range l.passages { // one by one: all together are more than is read at once
		list = append(list, answer.Units([]answer.Passage{p})...)
	}
	g := &generator{units: list, df: map[string]int{}, names: map[string]int{}}
	for _, u := range list {
		for s := range countStems(u.Quote) {
			g.df[s]++
		}
		for _, n := range inCode(u.Quote) {
			g.names[n]++
		}
	}
	topics := drawCases(g.topicCases(), most-most/2, seed)
	return append(topics, drawCases(g.clozeCases(), most/2, seed)...)
}

type generator struct {
	units []answer.Unit
	df    map[string]int // sentences that hold a stem
	names map[string]int // sentences that hold a name in code
}

// drawCases takes up to most cases, chosen by a hash of their questions.
func drawCases(list []answers.Case, most int, seed uint64) []answers.Case {
	key := func(c answers.Case) uint64 {
		h := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte(c.Question), seed))
		return binary.LittleEndian.Uint64(h[:])
	}
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(c answers.Case) bool {
		twice := seen[c.Question]
		seen[c.Question] = true
		return twice
	})
	slices.SortFunc(list, func(a, b answers.Case) int { return cmp.Compare(key(a), key(b)) })
	list = list[:min(len(list), most)]
	for i := range list {
		list[i].ID = fmt.Sprintf("%s-%d", list[i].Kind, i+1)
	}
	return list
}

func (g *generator) topicCases() (out []answers.Case) {
	for i, u := range g.units {
		if u.Kind != "heading" || i+1 >= len(g.units) || g.units[i+1].Kind != "sentence" {
			continue
		}
		head := strings.Trim(stripLinks(u.Quote), "# =-\n")
		body := g.units[i+1].Quote
		if i+2 < len(g.units) && g.units[i+2].Kind == "sentence" {
			body += " " + g.units[i+2].Quote
		}
		question := "What is " + head + "?"
		if strings.HasSuffix(head, "?") {
			question = head
		}
		if facts := g.rarestWords(body, countStems(head), 3); len(countStems(head)) >= 2 && len(strings.Fields(body)) >= 8 && len(facts) == 3 {
			c := answers.Case{Kind: "topic", Question: question, Gold: []string{u.URI}}
			for _, f := range facts {
				c.Nuggets = append(c.Nuggets, answers.Nugget{Need: []string{f}})
			}
			out = append(out, c)
		}
	}
	return out
}

// rarestWords returns the words of a text that the fewest sentences hold, without those that are
// known.
func (g *generator) rarestWords(text string, known map[string]float64, most int) []string {
	type word struct {
		text string
		df   int
	}
	var list []word
	words.Split(stripLinks(text), nil, func(w words.Word) {
		root := words.Root(w.Text)
		if len(w.Text) < 4 || w.Part || stops[w.Text] || known[root] > 0 || slices.ContainsFunc(list, func(x word) bool { return x.text == w.Text }) {
			return
		}
		list = append(list, word{w.Text, g.df[root]})
	})
	slices.SortStableFunc(list, func(a, b word) int { return cmp.Compare(a.df, b.df) })
	var out []string
	for _, w := range list[:min(len(list), most)] {
		out = append(out, w.text)
	}
	return out
}

func (g *generator) clozeCases() (out []answers.Case) {
	for _, u := range g.units {
		if u.Kind != "sentence" && u.Kind != "item" {
			continue
		}
		for _, name := range inCode(u.Quote) {
			if len(name) < 4 || g.names[name] > 3 {
				continue
			}
			if asked := g.otherWords(u.Quote, name); len(asked) >= 4 {
				out = append(out, answers.Case{Kind: "name", Question: "Which is it: " + strings.Join(asked, ", ") + "?", Gold: []string{u.URI}, Nuggets: []answers.Nugget{{Need: []string{name}}}})
			}
			break
		}
	}
	return out
}

// otherWords returns every second word of a text that is neither in code nor part of a name, at
// most five.
func (g *generator) otherWords(text, name string) (out []string) {
	own := countStems(name)
	words.Split(name, nil, func(w words.Word) { own[words.Root(w.Text)]++ })
	n := 0
	words.Split(code.Regexp().ReplaceAllString(stripLinks(text), " "), nil, func(w words.Word) {
		if w.Part || len(w.Text) < 4 || stops[w.Text] || own[words.Root(w.Text)] > 0 || len(out) == 5 {
			return
		}
		if n++; n%2 == 1 {
			out = append(out, w.Text)
		}
	})
	return out
}

var (
	code = lazyregexp.New("`[^`\n]+`")
	name = lazyregexp.New(`^[A-Za-z_][\w.-]*$`)
	link = lazyregexp.New(`\]\([^)\n]*\)|<[^>\n]*>|\{#[^}\n]*\}`)
)

// inCode returns the distinct names between backticks.
func inCode(text string) (out []string) {
	for _, c := range code.Regexp().FindAllString(text, -1) {
		if c = strings.Trim(c, "` "); name.MatchString(c) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// stripLinks returns a text without tags and without the addresses of links.
func stripLinks(text string) string { return link.Regexp().ReplaceAllString(text, " ") }
