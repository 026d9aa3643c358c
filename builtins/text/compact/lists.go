package compact

import (
	_ "embed" // the lists
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/stops.txt
var extraStops string

//go:embed lists/usual.txt
var usualList string

//go:embed lists/notes.txt
var noteWordList string

//go:embed lists/libraries.txt
var libraryList string

//go:embed lists/packages.txt
var packageList string

//go:embed lists/identifying.txt
var identifyingList string

//go:embed lists/telling.txt
var tellingList string

//go:embed lists/decorating.txt
var decoratingList string

var (
	usual       = words.Set(usualList)
	noteWords   = words.Set(noteWordList)
	libraries   = newNeedles(slices.Collect(words.Lines(libraryList)))
	packages    = newNeedles(slices.Collect(words.Lines(packageList)))
	identifying = words.Set(identifyingList)
	telling     = words.Set(tellingList)
	decorating  = words.Set(decoratingList)
	grouping    = setOf("author owner") // their values are counted however many there are
	deciding    = setOf("status state phase level severity result outcome conclusion health stat st error errors err message msg reason exit ready use")
	saysNo      = setOf("no false none null 0 off")
	dating      = setOf("date time ts timestamp modified created updated started start age") // values hardly repeat, which means nothing
	naming      = setOf("name title subject label summary displayname full_name fullname login filename path")
	amounts     = setOf("size used cpu mem rss bytes total amount count duration elapsed ms seconds added deleted lines changed hits calls ns cents price cost latency")
)

// worthOfName returns what the words of a member's or column's name say about its values: later calls name identifiers,
// dates and statuses are informative, decoration is for screens.
func worthOfName(name string) float64 {
	last := lastName(name)
	whole := strings.ToLower(last)
	parts := nameWords(last)
	w := 0.0
	switch {
	case identifying[whole] || len(parts) > 0 && identifying[parts[len(parts)-1]]:
		w = 3
	case anyOf(parts, telling):
		w = 1.2
	}
	if decorating[whole] || anyOf(parts, decorating) || strings.HasPrefix(whole, "_") {
		w -= 2.5
	}
	return w
}

// lastName returns the last part of a path of members.
func lastName(path string) string {
	if i := strings.LastIndexAny(path, ".]"); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	return path
}

func anyOf(parts []string, of map[string]bool) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return of[p] })
}

// nameWords splits a name into words in lower case: at capitals and at anything that is not a letter or digit.
func nameWords(name string) []string {
	var out []string
	start := 0
	for i := 0; i <= len(name); i++ {
		switch {
		case i == len(name) || !isAlnum(name[i]):
			if i > start {
				out = append(out, strings.ToLower(name[start:i]))
			}
			start = i + 1
		case i > start && isUpper(name[i]) && !isUpper(name[i-1]):
			out = append(out, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return out
}
