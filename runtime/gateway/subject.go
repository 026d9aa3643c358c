package gateway

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// few is the number of tools up to which a server's descriptions say more than the names of its tools; phraseWords
// limits the words of a phrase.
const (
	few         = 3
	phraseWords = 4
)

// subject describes a server in at most m.phrases phrases: by its operator's description, its own, or what its tools
// do.
func (c *Catalog) subject(s catalog.UpstreamServer, m terms) string {
	if m.phrases <= 0 {
		return ""
	}
	if s.Description != "" {
		return firstWords(s.Description, m.phrases*m.words)
	}
	if own := ownPhrase(c.said[s.Name]); own != "" {
		return phrase(strings.Fields(own), m.words)
	}
	var out []string
	for _, p := range c.serverPhrases(s.Name) {
		if p = phrase(strings.Fields(p), m.words); p != "" && len(out) < m.phrases && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}

// ownPhrase returns the phrase in a server's instructions that says what it is for: the words after "use this server
// to" or "it provides". Most instructions only say how to call the tools, which does not distinguish the server from
// others.
func ownPhrase(text string) string {
	words := strings.Fields(text)
	for i := range min(len(words), 12) {
		w := plainWord(words[i])
		switch next := words[i+1:]; {
		case (w == "provides" || w == "offers" || w == "lets" || w == "gives") && i > 0:
			return phrase(next, phraseWords)
		case w == "to" && i >= 2 && strings.EqualFold(plainWord(words[0]), "use") && i <= 4:
			return phrase(next, phraseWords)
		}
	}
	return ""
}

// phrase returns the beginning of a clause, in plain words.
func phrase(words []string, most int) string {
	var out []string
	for _, w := range words {
		bare := plainWord(w)
		if bare == "and" && len(out) == 1 {
			continue // between two adjectives
		}
		if stopsPhrase[bare] || len(out) == most {
			break
		}
		if bare != "" && !articles[bare] {
			out = append(out, bare)
		}
		if last := w[len(w)-1]; strings.ContainsRune(",.;:!?)", rune(last)) {
			break
		}
	}
	for len(out) > 0 && hangs[out[len(out)-1]] {
		out = out[:len(out)-1]
	}
	return strings.Join(out, " ")
}

var (
	articles    = wordSet("a an the your you its all one")
	stopsPhrase = wordSet("and or whenever when if that which who so by using while optionally as")
	hangs       = wordSet("of for to in on through with from between into at via specific given")
)

// maxWord limits a word of a phrase, in bytes: one server's word could otherwise push all other servers out of the
// digest.
const maxWord = 32

// plainWord returns a word in lower case if it consists of letters, digits and dashes, else "": a server's text goes
// into a description that models trust.
func plainWord(w string) string {
	w = strings.Trim(strings.ToLower(w), ".,;:!?()[]{}\"'`*_<>|/")
	if len(w) > maxWord {
		return ""
	}
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' {
			return ""
		}
	}
	return w
}

// deed is a phrase for what a tool does, with the nouns in it.
type deed struct {
	text   string
	things []string
	worth  float64
}

// serverPhrases returns what a server's tools do, most informative first: phrases whose nouns occur in many of its tools and
// in few of other servers'.
func (c *Catalog) serverPhrases(server string) []string {
	c.spoken.once.Do(func() {
		c.spoken.phrases = map[string][]string{}
		common := c.countServers()
		for name := range c.byServer {
			c.spoken.phrases[name] = c.phrasesOf(name, common)
		}
	})
	return c.spoken.phrases[server]
}

// spoken caches the phrases of a catalog's servers, computed on first use.
type spoken struct {
	once    sync.Once
	phrases map[string][]string
}

func (c *Catalog) phrasesOf(server string, common map[string]int) []string {
	tools := slices.DeleteFunc(slices.Clone(c.byServer[server]), func(t *tool) bool { return !t.Enabled })
	mine := c.countThings(tools, server)
	var deeds []deed
	for _, t := range tools {
		d := deedOf(t, server, mine.shared, len(tools))
		if d.text == "" {
			continue
		}
		for _, w := range d.things {
			d.worth += float64(mine.count[w]) / float64(max(common[w], 1)) / float64(len(d.things))
		}
		if len(d.things) == 0 {
			d.worth = 0.8 // the object is in the server's name
		} else if !strings.Contains(d.text, " ") {
			d.worth *= 0.5
		}
		if first := firstOf(d.text); everywhere[first] || !doing[first] {
			d.worth *= 0.5 // a common verb or none is less informative
		}
		deeds = append(deeds, d)
	}
	slices.SortStableFunc(deeds, func(a, b deed) int { return cmp.Compare(b.worth, a.worth) })
	out, said := []string{}, map[string]bool{}
	prefix := mine.commonPrefix(tools, server)
	for _, d := range deeds {
		if len(d.things) > 0 && slices.ContainsFunc(d.things, func(w string) bool { return said[w] }) {
			continue
		}
		for _, w := range d.things {
			said[w] = true
		}
		if len(out) == 0 && prefix != "" {
			d.text = prefix + " " + d.text
		}
		if !slices.Contains(out, d.text) {
			out = append(out, d.text)
		}
	}
	return out
}

// things are the words of tools' names: the number of names with each word, and the words that nearly all have, which
// are the server's prefix.
type things struct {
	count  map[string]int
	shared map[string]bool
}

func (c *Catalog) countThings(tools []*tool, server string) things {
	out := things{map[string]int{}, map[string]bool{}}
	for _, t := range tools {
		seen := map[string]bool{}
		for _, w := range nameWords(t.Name) {
			if !seen[w] {
				out.count[w]++
				seen[w] = true
			}
		}
	}
	for w, n := range out.count {
		out.shared[w] = len(tools) > few && 10*n > 8*len(tools)
	}
	return out
}

// commonPrefix returns the word that most names of a server begin with, if nearly all contain it and it is not the server's
// name: "browser" for playwright's tools. Ties go to the first in alphabetical order.
func (t things) commonPrefix(tools []*tool, server string) (prefix string) {
	begin := map[string]int{}
	for _, x := range tools {
		if words := nameWords(x.Name); len(words) > 0 && t.shared[words[0]] {
			begin[words[0]]++
		}
	}
	for _, w := range slices.Sorted(maps.Keys(begin)) {
		if w != "api" && !strings.EqualFold(w, server) && begin[w] > begin[prefix] {
			prefix = w
		}
	}
	return prefix
}

// countServers counts, for each word, the servers with that word in a tool's name.
func (c *Catalog) countServers() map[string]int {
	out := map[string]int{}
	for _, tools := range c.byServer {
		seen := map[string]bool{}
		for _, t := range tools {
			for _, w := range nameWords(t.Name) {
				if !seen[w] {
					out[w]++
					seen[w] = true
				}
			}
		}
	}
	return out
}

// deedOf returns a tool's phrase: the beginning of its description if the server has few tools, else its name with the
// verb in front.
func deedOf(t *tool, server string, shared map[string]bool, tools int) deed {
	var words, objects []string
	for _, w := range nameWords(t.Name) {
		if shared[w] || strings.EqualFold(w, server) || len(w) < 2 || len(w) > maxWord || articles[w] || w == "api" {
			continue
		}
		words = append(words, w)
		if !doing[w] {
			objects = append(objects, w)
		}
	}
	if tools <= few || len(words) == 0 {
		if text := descriptionPhrase(cmp.Or(t.Description, t.Title)); text != "" {
			return deed{text, objects, 0}
		}
	}
	if n := len(words); n > 1 && doing[words[n-1]] && !doing[words[0]] {
		words = append([]string{words[n-1]}, words[:n-1]...)
	}
	return deed{strings.Join(words[:min(len(words), phraseWords)], " "), objects, 0}
}

// descriptionPhrase returns the phrase at the beginning of a description.
func descriptionPhrase(text string) string {
	words := strings.Fields(text)
	for i := range min(len(words), 4) { // the useful part of "A tool for …" follows later
		if plainWord(words[i]) == "tool" && i+2 < len(words) {
			words = words[i+2:]
			break
		}
	}
	return phrase(words, phraseWords)
}

func firstOf(text string) string {
	w, _, _ := strings.Cut(text, " ")
	return w
}

// everywhere are the verbs that nearly every server uses.
var everywhere = wordSet("get list show fetch retrieve new close stop delete remove select wait")

// Limits of a server's own description, in bytes.
const (
	maxAbout     = 1 << 10  // that are kept
	maxToldAbout = 16 << 10 // that are masked
)

// cut returns at most the first most bytes of a text, in whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// aboutOf returns a server's own description from its handshake: its description, its title and the beginning of its
// instructions, masked before they are cut.
func aboutOf(a upstream.About, mask func(string) string) string {
	text := strings.TrimSpace(rawjson.GetText(a.ServerInfo, "description") + "\n" + rawjson.GetText(a.ServerInfo, "title") + "\n" + a.Instructions)
	text = cut(mask(cut(text, maxToldAbout)), maxAbout)
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' {
			return r
		}
		return -1
	}, text)
}
