package rank

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/builtins/stem"
)

// group is a set of words that are asked for together.
type group struct {
	topic bool // they only share a subject
}

// thesaurusIndex says which groups a stem is in.
type thesaurusIndex struct {
	groups []group
	of     map[string][]int32
}

// thesaurus is read at the first search, as all tables that take time to make:
// most processes search no tools.
var thesaurus = sync.OnceValue(readThesaurus)

func readThesaurus() *thesaurusIndex {
	t := &thesaurusIndex{of: map[string][]int32{}}
	t.add(synonyms, false)
	t.add(topics, true)
	t.add(moreTopics, true)
	t.join(foreign)
	return t
}

// add reads one group a line.
func (t *thesaurusIndex) add(text string, topic bool) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		g := int32(len(t.groups))
		t.groups = append(t.groups, group{topic})
		for _, w := range strings.Fields(line) {
			if st := stem.String(fold(w)); !slices.Contains(t.of[st], g) {
				t.of[st] = append(t.of[st], g)
			}
		}
	}
}

// join gives the words of a line to the groups of synonyms of its first word.
func (t *thesaurusIndex) join(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		words := strings.Fields(line)
		for _, g := range t.of[stem.String(words[0])] {
			for _, w := range words[1:] {
				if st := stem.String(fold(w)); !t.groups[g].topic && !slices.Contains(t.of[st], g) {
					t.of[st] = append(t.of[st], g)
				}
			}
		}
	}
}
