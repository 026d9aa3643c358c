package predict

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// maxTaskWords limits the words learnt from one task.
const maxTaskWords = 64

var stops = sync.OnceValue(func() map[string]bool { return words.Set(words.CommonStops()) })

// stems returns the distinct stems of the words of a text, in order, up to a limit of most. Numbers
// are left out: quantities say nothing about tools.
func stems(text string, most int) []string {
	var out []string
	words.Split(text, nil, func(w words.Word) {
		if len(out) >= most || w.Text == "" || w.Join || words.Digits(w.Text) || len(w.Text) < 2 || stops()[w.Text] {
			return
		}
		if root := words.Root(w.Text); !slices.Contains(out, root) {
			out = append(out, root)
		}
	})
	return out
}

func compareStrings(list ...string) int {
	for i := 0; i+1 < len(list); i += 2 {
		if c := cmp.Compare(list[i], list[i+1]); c != 0 {
			return c
		}
	}
	return 0
}

// joinNaturally joins a list as in a sentence: a, b and c.
func joinNaturally(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// containsAll reports whether all of the words are in a list.
func containsAll(list, of []string) bool {
	return !slices.ContainsFunc(list, func(w string) bool { return !slices.Contains(of, w) })
}

// rarity returns the weight of a word that occurs in with sessions out of all. It is small, but not
// 0, for a word of all sessions.
func rarity(all, with float64) float64 {
	if with <= 0 {
		return 0
	}
	return math.Log(1 + (max(0, all-with)+0.5)/with)
}

func sortWords(list []string) []string { slices.Sort(list); return list }

func quoteWords(list []string) string {
	var out []string
	for _, w := range list {
		out = append(out, strconv.Quote(w))
	}
	return joinNaturally(out)
}
