package words

// Stem reduces an English word to its stem with the algorithm of M. F. Porter, "An
// algorithm for suffix stripping" (Program 14(3), 1980). The word must be lower case
// ASCII letters; words of fewer than three letters, and words with any other byte, are
// returned unchanged. The result shares w's storage, which is overwritten.
func Stem(w []byte) []byte {
	if len(w) < 3 {
		return w
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	w = stemPlural(w)
	w = stemPast(w)
	w = stemY(w)
	w = replaceSuffix(w, step2, 0)
	w = replaceSuffix(w, step3, 0)
	w = stemLong(w)
	return stemTail(w)
}

// StemOf does what Stem does, for a string.
func StemOf(w string) string { return string(Stem([]byte(w))) }

type suffixRule struct{ from, to string }

var step2 = []suffixRule{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"abli", "able"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
}

var step3 = []suffixRule{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

var step4 = []string{
	"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "al", "er", "ic", "ou",
	"ism", "ate", "iti", "ous", "ive", "ize",
}

// stemPlural performs step 1a: caresses, ponies, cats.
func stemPlural(w []byte) []byte {
	switch {
	case hasSuffix(w, "sses"), hasSuffix(w, "ies"):
		return w[:len(w)-2]
	case hasSuffix(w, "ss"):
		return w
	case hasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// stemPast performs step 1b: agreed, plastered, motoring, and the repairs after it.
func stemPast(w []byte) []byte {
	n := len(w)
	switch {
	case hasSuffix(w, "eed"):
		if countSequences(w[:n-3]) > 0 {
			return w[:n-1]
		}
		return w
	case hasSuffix(w, "ed") && hasVowel(w[:n-2]):
		w = w[:n-2]
	case hasSuffix(w, "ing") && hasVowel(w[:n-3]):
		w = w[:n-3]
	default:
		return w
	}
	switch n = len(w); {
	case hasSuffix(w, "at"), hasSuffix(w, "bl"), hasSuffix(w, "iz"):
		return append(w, 'e')
	case endsDoubled(w):
		if c := w[n-1]; c != 'l' && c != 's' && c != 'z' {
			return w[:n-1]
		}
	case countSequences(w) == 1 && endsCVC(w):
		return append(w, 'e')
	}
	return w
}

// stemY performs step 1c: happy.
func stemY(w []byte) []byte {
	if n := len(w); w[n-1] == 'y' && hasVowel(w[:n-1]) {
		w[n-1] = 'i'
	}
	return w
}

// replaceSuffix performs steps 2 and 3: the first suffix that matches is replaced if
// the rest has a measure above min.
func replaceSuffix(w []byte, rules []suffixRule, min int) []byte {
	for _, r := range rules {
		if hasSuffix(w, r.from) {
			if base := w[:len(w)-len(r.from)]; countSequences(base) > min {
				return append(base, r.to...)
			}
			return w
		}
	}
	return w
}

// stemLong performs step 4: it removes suffixes of long words.
func stemLong(w []byte) []byte {
	for _, s := range step4 {
		if !hasSuffix(w, s) {
			continue
		}
		base := w[:len(w)-len(s)]
		if s == "ion" && !hasSuffix(base, "s") && !hasSuffix(base, "t") {
			return w
		}
		if countSequences(base) > 1 {
			return undoubleFinal(base, s)
		}
		return w
	}
	return w
}

// undoubleFinal reduces formatter to format, like formatted. Porter's algorithm leaves the
// second t: a formatter is rare outside of code.
func undoubleFinal(w []byte, suffix string) []byte {
	if n := len(w); suffix == "er" && n > 1 && endsDoubled(w) && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z' {
		return w[:n-1]
	}
	return w
}

// stemTail performs step 5: it removes a final e, and one l of a final double l.
func stemTail(w []byte) []byte {
	n := len(w)
	if w[n-1] == 'e' {
		base := w[:n-1]
		if m := countSequences(base); m > 1 || m == 1 && !endsCVC(base) {
			w = base
		}
	}
	if n = len(w); n > 1 && w[n-1] == 'l' && endsDoubled(w) && countSequences(w) > 1 {
		w = w[:n-1]
	}
	return w
}

func hasSuffix(w []byte, s string) bool {
	return len(w) >= len(s) && string(w[len(w)-len(s):]) == s
}

// isConsonant reports whether w[i] is one. A y is a vowel after a consonant, so a run of
// them alternates and is followed back to its start.
func isConsonant(w []byte, i int) bool {
	flip := false
	for i > 0 && w[i] == 'y' {
		i, flip = i-1, !flip
	}
	return isVowel(w[i]) == flip
}

func isVowel(c byte) bool {
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'
}

// countSequences counts the vowel-consonant sequences of w.
func countSequences(w []byte) int {
	m, vowel := 0, false
	for i := range w {
		if isConsonant(w, i) {
			if vowel {
				m++
			}
			vowel = false
		} else {
			vowel = true
		}
	}
	return m
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !isConsonant(w, i) {
			return true
		}
	}
	return false
}

func endsDoubled(w []byte) bool {
	n := len(w)
	return n > 1 && w[n-1] == w[n-2] && isConsonant(w, n-1)
}

// endsCVC reports whether w ends in consonant-vowel-consonant and not in w, x or y.
func endsCVC(w []byte) bool {
	n := len(w)
	if n < 3 || !isConsonant(w, n-1) || isConsonant(w, n-2) || !isConsonant(w, n-3) {
		return false
	}
	c := w[n-1]
	return c != 'w' && c != 'x' && c != 'y'
}
