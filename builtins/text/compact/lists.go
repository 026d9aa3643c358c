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
	grouping    = setOf("author owner") // whose values are counted however many they are
	deciding    = setOf("status state phase level severity result outcome conclusion health stat st error errors err message msg reason exit ready use")
	saysNo      = setOf("no false none null 0 off")
	dating      = setOf("date time ts timestamp modified created updated started start age") // which hardly repeat, and tell nothing by that
	naming      = setOf("name title subject label summary displayname full_name fullname login filename path")
	amounts     = setOf("size used cpu mem rss bytes total amount count duration elapsed ms seconds added deleted lines changed hits calls ns cents price cost latency")
)

// worthOfName is what the name of a member or of a column says of the values below it, by its words: an identifier is
// what later calls name, a date or a status tells something, decoration is for screens.
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

// lastName is the last part of a path of members.
func lastName(path string) string {
	if i := strings.LastIndexAny(path, ".]"); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	return path
}

func anyOf(parts []string, of map[string]bool) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return of[p] })
}

// nameWords are the words of a name in lower case: at capitals, digits and what is no letter.
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
