package toolrank

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// group is a set of words that are searched for together.
type group struct {
	topic bool // they only share a subject
	said  bool // they stand for an expression
}

// thesaurusIndex maps stems to groups.
type thesaurusIndex struct {
	groups  []group
	of      map[string][]int32  // for words of queries and of tools
	means   map[string][]int32  // for words of tools only: the meanings of expressions
	sayings map[string][]saying // by the root of their first word
}

// thesaurus is read at the first search, like all tables that take time to build: most processes
// search no tools.
var thesaurus = sync.OnceValue(readThesaurus)

func readThesaurus() *thesaurusIndex {
	t := &thesaurusIndex{of: map[string][]int32{}, means: map[string][]int32{}, sayings: map[string][]saying{}}
	t.readGroups(synonyms, false)
	t.readGroups(topics, true)
	t.joinForeign(foreign)
	t.readSayings(everyday)
	t.readSayings(kinds)
	return t
}

// addToGroup adds a stem to a group.
func addToGroup(m map[string][]int32, stem string, g int32) {
	if !slices.Contains(m[stem], g) {
		m[stem] = append(m[stem], g)
	}
}

// knows reports whether a stem is a word of its own, which is not taken for another one with nearly
// the same spelling.
func (t *thesaurusIndex) knows(stem string) bool {
	return len(t.of[stem])+len(t.means[stem])+len(t.sayings[stem]) > 0
}

// groupsHeld returns the groups that a tool with this stem is in.
func (t *thesaurusIndex) groupsHeld(stem string) []int32 {
	return slices.Concat(t.of[stem], t.means[stem])
}

// readGroups reads groups, one per line.
func (t *thesaurusIndex) readGroups(text string, topic bool) {
	for line := range words.Lines(text) {
		g := int32(len(t.groups))
		t.groups = append(t.groups, group{topic: topic})
		for w := range strings.FieldsSeq(line) {
			addToGroup(t.of, words.Root(words.Fold(w)), g)
		}
	}
}

// joinForeign adds the words of a line to the synonym groups of its first word.
func (t *thesaurusIndex) joinForeign(text string) {
	for line := range words.Lines(text) {
		list := strings.Fields(line)
		for _, g := range t.of[words.Root(list[0])] {
			for _, w := range list[1:] {
				if !t.groups[g].topic {
					addToGroup(t.of, words.Root(words.Fold(w)), g)
				}
			}
		}
	}
}
