package toolrank

import "github.com/compactor-mcp/compactor/runtime/base/words"

// nameWord is a word of a tool's name and how much it tells this tool from others.
type nameWord struct {
	id     int32
	weight float64
}

// common is the share of a server's tools from which on a word of their names belongs to the server
// and not to the tool, and mark the factor that remains for it.
const (
	common = 0.5
	mark   = 0.25
)

// nameDocs determines the words of each tool's name.
func (b *builder) nameDocs() {
	ix := b.ix
	ix.names = make([][]nameWord, len(ix.docs))
	type place struct {
		server string
		id     int32
	}
	tools, held := map[string]int{}, map[place]int{}
	for i := range ix.docs {
		tools[ix.docs[i].Server]++
		for _, id := range ix.held[i] {
			if p := ix.words[id].postingOf(int32(i)); p.fields&(1<<fieldName) != 0 {
				held[place{ix.docs[i].Server, id}]++
			}
		}
	}
	for i := range ix.docs {
		server := ix.docs[i].Server
		for _, id := range ix.held[i] {
			p := ix.words[id].postingOf(int32(i))
			if p.fields&(1<<fieldName) == 0 || words.Digits(ix.words[id].stem) || b.perDoc[i].whole[id] {
				continue
			}
			w := nameWord{id, ix.words[id].idf}
			if n := tools[server]; n > 2 && len(tools) > 1 && float64(held[place{server, id}]) > common*float64(n) {
				w.weight *= mark
			}
			ix.names[i] = append(ix.names[i], w)
		}
	}
}

// callsFor records which words and groups a query asks for, and how well.
func (q *query) callsFor(w *weights) {
	q.asks, q.kinds = map[int32]float64{}, map[int32]float64{}
	for i := range q.units {
		u := &q.units[i]
		switch u.kind {
		case exact:
			q.asks[u.id] = 1
		case kin:
			q.asks[u.id] = max(q.asks[u.id], min(w.KinName, 0.99))
		case spelling:
			q.asks[u.id] = max(q.asks[u.id], min(w.KinName, 0.99))
		case synonym:
			q.kinds[u.id] = max(q.kinds[u.id], w.SynonymName)
		case meant:
			q.kinds[u.id] = max(q.kinds[u.id], w.MeantName)
		}
	}
}

// nameCoverage returns the share of a tool's name that the query says, in its own words or in words for
// the same.
func (ix *Index) nameCoverage(q *query, doc int32) float64 {
	got, all := 0.0, 0.0
	for _, n := range ix.names[doc] {
		all += n.weight
		x := q.asks[n.id]
		if x < 1 {
			for _, g := range ix.words[n.id].groups {
				x = max(x, q.kinds[g])
			}
		}
		got += x * n.weight
	}
	if all <= 0 {
		return 0
	}
	return got / all
}
