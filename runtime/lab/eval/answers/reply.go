package answers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Reply is a reply as a reader sees it.
type Reply struct {
	Text       string
	Confidence string // high, med or low
	Tokens     int
	Seconds    float64
	Failed     string // why there is no reply

	plain string  // the text without its references
	refs  []place // in the order of reading, each once
}

// place is a file, or lines of one.
type place struct {
	path        string
	first, last int // 0 for the whole file
}

// reference matches what may be a reference: a path, optionally followed by a line or a range.
var reference = regexp.MustCompile(`([\w@+$.~\[\]()/-]*[\w\])$])(?::(\d+)(?:-(\d+)|:\d+)?)?`)

// findReferences finds the references of a reply. known reports whether a path is a file of the tree.
func (r *Reply) findReferences(known func(path string) bool) {
	var plain strings.Builder
	end := 0
	lined := map[string]bool{}
	for _, m := range reference.FindAllStringSubmatchIndex(r.Text, -1) {
		path := r.Text[m[2]:m[3]]
		start := m[2] + len(path) - len(strings.TrimLeft(path, "(["))
		path = strings.TrimRight(strings.TrimLeft(path, "(["), ")]")
		path = strings.TrimPrefix(path, "./")
		if !strings.ContainsAny(path, "./") && m[4] < 0 || !known(path) {
			continue
		}
		plain.WriteString(r.Text[end:start] + " ")
		end = m[1]
		p := place{path: path, first: parseNumber(r.Text, m[4], m[5])}
		if p.last = parseNumber(r.Text, m[6], m[7]); p.last < p.first {
			p.last = p.first
		}
		lined[path] = lined[path] || p.first > 0
		if !slices.Contains(r.refs, p) {
			r.refs = append(r.refs, p)
		}
	}
	plain.WriteString(r.Text[end:])
	r.plain = plain.String()
	// A bare path that also occurs with a line is not a reference of its own.
	r.refs = slices.DeleteFunc(r.refs, func(p place) bool { return p.first == 0 && lined[p.path] })
}

func parseNumber(text string, from, to int) int {
	if from < 0 {
		return 0
	}
	n, _ := strconv.Atoi(text[from:to]) // only digits; too many of them are not a line
	return n
}

// parsePlace parses path, path:line or path:first-last.
func parsePlace(s string) place {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return place{path: s}
	}
	first, last, ranged := strings.Cut(s[i+1:], "-")
	a, err := strconv.Atoi(first)
	if err != nil {
		return place{path: s}
	}
	p := place{s[:i], a, a}
	if b, err := strconv.Atoi(last); ranged && err == nil {
		p.last = b
	}
	return p
}

// slack is how many lines a reference may be off a right place.
const slack = 3

// pointsInto reports whether a reference points into a right place.
func (p place) pointsInto(gold place) bool {
	if p.path != gold.path {
		return false
	}
	return gold.first == 0 || p.first > 0 && p.first <= gold.last+slack && p.last >= gold.first-slack
}

var notFound = regexp.MustCompile(`(?i)\b(?:not found|nothing (?:matches|found|was found|in the (?:tree|repository))|no (?:match(?:es)?|results?|references?|answer|such)\b)`)

// denies reports whether a reply says that there is no answer.
func (r *Reply) denies() bool {
	const lead = 300
	return len(r.refs) == 0 || r.Confidence == "low" && notFound.MatchString(r.Text[:min(len(r.Text), lead)])
}
