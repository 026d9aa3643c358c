package toolrank

import (
	"math/bits"
	"sort"
)

// reasons limits the reasons that a hit gives.
const reasons = 4

// explainHit returns the words of the query that matched a document, and where, by descending weight.
func (ix *Index) explainHit(q *query, doc int32) []string {
	type reason struct {
		unit   int
		weight float64
		fields uint16
	}
	var list []reason
	told := map[int32]bool{}
	for i := range q.units {
		u := &q.units[i]
		if u.kind == pair || u.kind != exact && told[u.word] {
			continue
		}
		if p := u.term.postingOf(doc); p != nil {
			list = append(list, reason{i, u.weight * float64(p.weight), p.fields})
			told[u.word] = true
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].weight > list[j].weight })
	out := make([]string, 0, min(reasons, len(list)))
	for _, r := range list[:min(reasons, len(list))] {
		u := &q.units[r.unit]
		word := q.words[u.word].text
		switch u.kind {
		case exact:
			out = append(out, word+" ("+fieldNames[bits.TrailingZeros16(r.fields)]+")")
		case spelling:
			out = append(out, word+" ~ "+u.term.text+" (spelling)")
		case kin:
			out = append(out, word+" ~ "+u.term.text+" (form)")
		default:
			out = append(out, word+" ~ "+ix.memberWord(u.id, doc)+" ("+kindNames[u.kind]+")")
		}
	}
	return out
}

var kindNames = map[kind]string{synonym: "synonym", topic: "topic", meant: "meaning"}

// memberWord returns the word by which a document is in a group.
func (ix *Index) memberWord(group, doc int32) string {
	best := ""
	for _, id := range ix.held[doc] {
		for _, g := range ix.words[id].groups {
			if g == group && (best == "" || ix.words[id].text < best) {
				best = ix.words[id].text
			}
		}
	}
	return best
}
