package toolrank

// atHome is the number of words of a subject that a tool holds if it is wholly about that subject.
const atHome = 4

// kindredShare returns how much the tools hold, 0..1, of the subject that most words of a query share:
// the meaning of an ambiguous word is told by the others. A query whose words share no subject says
// nothing for or against, 0.5.
func (ix *Index) kindredShare(q *query, top []candidate) float64 {
	subjects, most := q.countSubjects()
	if most < 2 {
		return 0.5
	}
	best := 0
	held := map[int32]int{}
	for _, c := range top {
		clear(held)
		for _, id := range ix.held[c.doc] {
			for _, g := range ix.words[id].groups {
				if subjects[g] == most {
					held[g]++
					best = max(best, held[g])
				}
			}
		}
	}
	return min(1, float64(best)/atHome)
}

// countSubjects counts the words of a query by their subject, and returns the largest count, too.
func (q *query) countSubjects() (count map[int32]int, most int) {
	count = map[int32]int{}
	for i := range q.words {
		if q.words[i].phrase {
			continue
		}
		for _, g := range thesaurus().of[q.words[i].stem] {
			if thesaurus().groups[g].topic {
				count[g]++
				most = max(most, count[g])
			}
		}
	}
	return count, most
}
