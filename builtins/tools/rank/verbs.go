package rank

import (
	"strings"
	"sync"
)

// acts are kinds of action, a bit each.
type acts uint16

const readAct acts = 1

// actWords are the verbs by which tools and requests say what is to be done,
// one kind a line. The first line is what a request is that names none.
const actWords = `
get list show find search fetch retrieve view read query lookup look check describe see browse discover display what which who where how tell
create add new make insert generate build write compose register draw design
delete remove cancel clear drop erase uninstall destroy
update edit modify change rename set adjust patch move replace
send post share transfer email message notify reply publish forward
buy purchase order book reserve pay shop
play listen watch stream
start run execute launch open call
stop close kill end pause terminate
calculate compute convert sum multiply count subtract divide
upload download export import save
translate summarize analyze compare
merge join combine
`

var actOf = sync.OnceValue(func() map[string]acts {
	m, bit := map[string]acts{}, readAct
	for line := range strings.Lines(strings.TrimSpace(actWords)) {
		for w := range strings.FieldsSeq(line) {
			m[root(w)] |= bit
		}
		bit <<= 1
	}
	return m
})

// actsOf are the kinds of action that a text names.
func actsOf(text string) acts {
	var a acts
	split(text, func(w word) { a |= actOf()[w.stem] })
	return a
}

// deeds are the kinds of action that a tool's description begins with.
func deeds(d *Doc) (a acts) {
	lead, _, _ := prose(d.Description)
	for range 3 {
		w := firstWord(lead)
		if a = actOf()[root(strings.ToLower(w))]; a != 0 || w == "" {
			return a
		}
		lead = strings.TrimLeft(lead[len(w):], " |:-")
	}
	return 0
}

// act is what the action of a query does to the score of a tool that names its own.
func (ix *Index) act(q *query, doc int32) float64 {
	switch tool := ix.acts[doc]; {
	case tool == 0 && ix.deeds[doc]&q.acts != 0:
		return 1 + ix.w.Deed
	case tool == 0:
		return 1
	case tool&q.acts != 0:
		return 1 + ix.w.Act
	case ix.deeds[doc]&q.acts != 0:
		return 1 + ix.w.Deed
	}
	return 1 - ix.w.Act
}
