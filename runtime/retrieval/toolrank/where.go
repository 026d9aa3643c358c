package toolrank

// whereLead are the words before the name of what is to be used: in Notion.
var whereLead = set("in on with using via from into through use")

// there reports a tool of a server that a query of one part names.
func (ix *Index) there(q *query, doc int32) bool {
	for _, id := range q.where {
		if p := ix.words[id].in(doc); p != nil && p.fields&(1<<fieldServer) != 0 {
			return true
		}
	}
	return false
}
