package rank

import (
	"slices"
	"strings"

	"compactor/builtins/stem"
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

var thesaurus = readThesaurus()

func readThesaurus() *thesaurusIndex {
	t := &thesaurusIndex{of: map[string][]int32{}}
	t.add(synonyms, false)
	t.add(topics, true)
	t.add(moreTopics, true)
	return t
}

// add reads one group a line.
func (t *thesaurusIndex) add(text string, topic bool) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		g := int32(len(t.groups))
		t.groups = append(t.groups, group{topic})
		for _, w := range strings.Fields(line) {
			if st := stem.String(w); !slices.Contains(t.of[st], g) {
				t.of[st] = append(t.of[st], g)
			}
		}
	}
}
