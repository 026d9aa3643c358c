package coderank

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// guessLanguage guesses the language of a question from its stop words. A foreign language needs at
// least two of them, and more than English has: "es" and "die" also occur in English titles about
// modules and processes. Russian, in Cyrillic, needs only one.
func guessLanguage(s string) string {
	counts := map[string]int{}
	for _, w := range strings.Fields(strings.ToLower(s)) {
		w = strings.Trim(w, ".,;:!?¿¡()\"'`")
		for lang, words := range stopWords() {
			if words[w] {
				counts[lang]++
			}
		}
	}
	best := "en"
	for _, lang := range languages {
		if counts[lang] > counts[best] && (counts[lang] > 1 || lang == "ru") {
			best = lang
		}
	}
	return best
}

// languages lists the languages with stop words, in the order in which ties are broken.
var languages = []string{"en", "de", "es", "fr", "it", "nl", "pt", "ru"}

// englishStems maps for each language the stem of a foreign word to its English words. Code is
// named in English whatever language the question is in.
var englishStems = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for lang, words := range foreign() {
		byStem := map[string]string{}
		for _, w := range slices.Sorted(maps.Keys(words)) {
			if st := foreignStem(lang, w); byStem[st] == "" {
				byStem[st] = words[w]
			}
		}
		all[lang] = byStem
	}
	return all
})

// translateWord returns the English for a foreign word in lower case, or for both parts of a German or
// Dutch compound; nil if it is unknown.
func translateWord(lang, w string) []string {
	if e := foreign()[lang][w]; e != "" {
		return []string{e}
	}
	byStem := englishStems()[lang]
	if e := byStem[foreignStem(lang, w)]; e != "" {
		return []string{e}
	}
	if lang != "de" && lang != "nl" {
		return nil
	}
	w = accents.Replace(w)
	for i := len(w) - minForeignStem; i >= minForeignStem; i-- {
		first := byStem[foreignStem(lang, w[:i])]
		if second := byStem[foreignStem(lang, w[i:])]; first != "" && second != "" {
			return []string{first, second}
		}
	}
	return nil
}

// minForeignStem is the minimum number of letters left of a word when its ending is removed.
const minForeignStem = 4

// foreignStem returns a word without accents and without its ending.
func foreignStem(lang, w string) string {
	w = accents.Replace(w)
	for _, e := range endings[lang] {
		if rest, ok := strings.CutSuffix(w, e); ok && utf8.RuneCountInString(rest) >= minForeignStem {
			return rest
		}
	}
	return w
}

// accents removes the accents, which people who type fast leave out.
var accents = strings.NewReplacer("ä", "a", "à", "a", "á", "a", "â", "a", "ã", "a", "ç", "c", "è", "e", "é", "e", "ê", "e",
	"ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o",
	"ß", "ss", "ù", "u", "ú", "u", "û", "u", "ü", "u", "œ", "oe", "ё", "е")

// endings of nouns and verbs, without accents, the longer before the shorter.
var endings = map[string][]string{
	"de": strings.Fields("ungen ten ern ung em en er es st te e n s t"),
	"fr": strings.Fields("ements ations ement ation ees ent ez er es ee e s"),
	"es": strings.Fields("aciones acion ciones iendo ando cion ados adas idos idas ado ada ido ida ar er ir an en os as es o a e s"),
	"pt": strings.Fields("acoes acao coes cao ados adas idos idas ado ada ido ida ar er ir am em os as es o a e s"),
	"it": strings.Fields("azioni azione ati ate ato ata are ere ire i e o a"),
	"nl": strings.Fields("en e s t d"),
	"ru": strings.Fields(`ываются ывается ются ется ится ятся ения ение ений ания ание аний ами ями ого его ому ему ыми ими
		ать ять ить еть ов ев ей ой ый ий ая яя ое ее ые ие ам ям ах ях ом ем ую юю а я о е и ы у ю ь й`),
}

// wideKeys are the words of wideWords, longest first.
var wideKeys = sync.OnceValue(func() []string {
	keys := make([]string, 0, len(wideWords()))
	for k := range wideWords() {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if len(keys[i]) != len(keys[j]) {
			return len(keys[i]) > len(keys[j])
		}
		return keys[i] < keys[j]
	})
	return keys
})

// wideMeanings returns the English words for the words in a run of CJK text, in order, and the
// number of its characters that these cover, including known grammatical characters, which mean
// nothing.
func wideMeanings(s string) (out []string, known int) {
	for i := 0; i < len(s); {
		_, step := utf8.DecodeRuneInString(s[i:])
		for _, k := range wideKeys() {
			if strings.HasPrefix(s[i:], k) {
				out = append(out, wideWords()[k])
				step = len(k)
				known += utf8.RuneCountInString(k)
				break
			}
		}
		i += step
	}
	return out, known
}
