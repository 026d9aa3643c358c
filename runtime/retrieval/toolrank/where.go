package toolrank

// whereLead words come before the name of the thing to use: in Notion.
var whereLead = set("in on with using via from into through use")

// isOnNamedServer reports whether a tool belongs to a server that a query of one part names.
func (ix *Index) isOnNamedServer(q *query, doc int32) bool {
	for _, id := range q.where {
		if p := ix.words[id].postingOf(doc); p != nil && p.fields&(1<<fieldServer) != 0 {
			return true
		}
	}
	return false
}
