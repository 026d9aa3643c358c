package toolrank

import (
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// slots is a set of kinds of values, a bit each. A query that holds a date fits tools that take
// one; a tool that requires a link fits a query without one less.
type slots uint16

const (
	slotDate slots = 1 << iota
	slotTime
	slotPlace
	slotURL
	slotEmail
	slotPath
	slotMoney
	slotIP
	slotPoint // coordinates
	slotSum   // numbers to calculate with

	literal = slotURL | slotEmail | slotPath | slotIP | slotPoint // values that cannot be guessed
)

// slotWords are the words in a parameter's name that say what it takes.
var slotWords = sync.OnceValue(func() map[string]slots {
	m := map[string]slots{}
	for s, list := range map[slots]string{
		slotDate: "date day datetime deadline due checkin checkout when month year start end since until departure arrival",
		slotTime: "time datetime hour minute timestamp when start end deadline duration",
		slotPlace: `location city place country state address region destination origin area town zip
			postal geo where venue province neighborhood loc departure`,
		slotURL:   "url uri link website site webpage href domain",
		slotEmail: "email mail recipient to cc sender attendee",
		slotPath:  "path file filename filepath dir directory folder document source",
		slotMoney: "amount price budget cost currency fare payment money value salary total",
		slotIP:    "ip host address",
		slotPoint: "latitude longitude lat lon lng coordinates coordinate coords",
		slotSum:   "expression equation a b x y number num operand formula numbers",
	} {
		for _, w := range strings.Fields(list) {
			m[words.Root(w)] |= s
		}
	}
	return m
})

// slotsOf returns the kinds of values that a tool takes, and those that it requires.
func slotsOf(d *Doc) (all, needs slots) {
	for _, p := range d.Params {
		var s slots
		splitWords(p.Name, func(w word) { s |= slotWords()[w.stem] })
		all |= s
		if p.Required && bits.OnesCount16(uint16(s)) == 1 {
			needs |= s
		}
	}
	return all, needs
}

var (
	dateWords = set(`january february march april june july august september october november december jan feb mar apr
		jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight
		yesterday weekend week month year 1st 2nd 3rd`)
	timeWords  = set(`am pm noon midnight o'clock hour hours minutes morning afternoon evening`)
	moneyWords = set(`dollar dollars usd eur euro euros gbp pounds yen bucks`)
	placeLead  = set(`in at to from near around for of`)
)

// queryValues returns the kinds of values that a query holds.
func queryValues(text string) slots {
	var s slots
	lead := false
	for f := range strings.FieldsSeq(text) {
		raw := strings.Trim(f, ".,;:!?()[]{}\"'“”‘’`<>")
		if raw == "" {
			continue
		}
		low := strings.ToLower(raw)
		s |= valueShape(raw, low)
		if lead && isUpper(raw[0]) && !dateWords[low] && len(raw) > 1 {
			s |= slotPlace
		}
		lead = placeLead[low] && f == raw
	}
	return s
}

// valueShape returns the kind of value that a single word of a query is, by the way it is written.
func valueShape(raw, low string) slots {
	var s slots
	r, _ := utf8.DecodeRuneInString(raw)
	number := isDigit(raw[0]) || (raw[0] == '-' || r == '$' || r == '€' || r == '£') && strings.ContainsAny(raw, "0123456789")
	switch {
	case dateWords[low] && low != "today":
		s |= slotDate
	case timeWords[low]:
		s |= slotTime
	case moneyWords[low]:
		s |= slotMoney
	case strings.Contains(raw, "://"), strings.HasPrefix(low, "www."), isHostName(low):
		s |= slotURL
	case strings.Contains(raw, "@") && strings.Contains(raw, "."):
		s |= slotEmail
	case number:
		s |= numberShape(raw, low, r)
	case strings.ContainsAny(raw, `/\`) && len(raw) > 3 && (raw[0] == '/' || raw[0] == '~' || raw[0] == '.' || strings.Contains(raw, `:\`)):
		s |= slotPath
	case isFileName(low):
		s |= slotPath
	}
	return s
}

// numberShape distinguishes dates, times, sums of money, addresses and coordinates.
func numberShape(raw, low string, first rune) slots {
	switch dots, dashes := strings.Count(raw, "."), strings.Count(raw, "-")+strings.Count(raw, "/"); {
	case !isDigit(raw[0]) && first != '-':
		return slotMoney
	case strings.HasSuffix(low, "th") || strings.HasSuffix(low, "st") || strings.HasSuffix(low, "nd") || strings.HasSuffix(low, "rd"):
		return slotDate
	case dots == 3:
		return slotIP
	case dashes == 2 || dots == 2:
		return slotDate
	case strings.Contains(raw, ":"), strings.HasSuffix(low, "am"), strings.HasSuffix(low, "pm"):
		return slotTime
	case strings.ContainsAny(raw, "+*/^="):
		return slotSum
	case dots == 1 && len(raw)-strings.IndexByte(raw, '.') > 3:
		return slotPoint
	case dots == 0 && dashes == 0 && len(raw) == 4 && (raw[:2] == "19" || raw[:2] == "20") && words.Digits(raw):
		return slotDate
	case words.Digits(raw):
		return slotSum
	}
	return 0
}

// isHostName reports whether a word is written like a host name.
func isHostName(low string) bool {
	for _, end := range []string{".com", ".org", ".net", ".io", ".dev", ".ai", ".gov", ".edu"} {
		if i := strings.Index(low, end); i > 0 && (i+len(end) == len(low) || low[i+len(end)] == '/') {
			return !strings.Contains(low, "@")
		}
	}
	return false
}

// isFileName reports whether a word ends like a file name.
func isFileName(low string) bool {
	i := strings.LastIndexByte(low, '.')
	return i > 0 && len(low)-i >= 3 && len(low)-i <= 5 && low[i+1] >= 'a' && low[i+1] <= 'z' && !strings.Contains(low, "@")
}

// valueFactor returns the factor by which the values of a query change a tool's score.
func (ix *Index) valueFactor(q *query, doc int32) float64 {
	if q.values == 0 {
		return 1
	}
	x := 1 + ix.w.Slot*valueWeight(q.values&ix.takes[doc])/valueWeight(q.values)
	lacks := ix.needs[doc] &^ q.values
	if lacks&literal != 0 {
		x *= 1 - ix.w.Lack
	} else if lacks != 0 {
		x *= 1 - ix.w.Soft
	}
	return x
}

// valueWeight returns how much values tell: places and amounts occur in most requests, a date only in
// those for a tool that takes one.
func valueWeight(s slots) float64 {
	x := float64(bits.OnesCount16(uint16(s)))
	if s&slotDate != 0 {
		x++
	}
	return x
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
