package compact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// A text beyond this is not read whole: its beginning, its end, lines that tell of faults, lines of the subject and
// lines from all over stand for it, so that time is that of a search and memory is bounded.
const (
	sampleBytes = 64 << 10
	sampleShare = 16      // and this many times the bound of the summary
	htmlBytes   = 4 << 20 // a page is read to here
	lineBytes   = 4 << 10 // of a line in a sample
	mostHits    = 4096    // of a word that are looked at; beyond it a share, spread evenly
	mostNeedles = 24      // words of the subject
	fewAlike    = 5       // lines that differ in numbers only
	stridesOf   = 256     // places from all over
	behindFault = 4       // lines behind one that tells of a fault
	quarter     = 4       // of a sample, for its end, for faults and for the subject
)

// span is a part of a text.
type span struct{ from, to int }

// sampler chooses spans of a text.
type sampler struct {
	text  string
	spans []span
	taken map[int]bool // lines that were found
}

// sampleLines is a text of lines within a bound, and whether it is a part of the text only.
func (s *shortener) sampleLines(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	p := &sampler{text: text, taken: map[int]bool{}}
	p.lines(0, most/quarter)
	p.tail(most / quarter)
	p.hits(faultNeedles, most/quarter, behindFault, tellsError)
	p.hits(s.needles(), most/quarter/2, 0, func(string) bool { return true })
	p.spread(most / quarter / 2)
	return p.join("\n"), true
}

// faultNeedles stand in lines that tell of a fault, as far as a search for few words finds them.
var faultNeedles = []string{"rror", "ERROR", "ail", "FAIL", "anic", "xception", "atal", "FATAL", "arn", "WARN"}

// needles are the words of the subject as they were written, the longest first.
func (s *shortener) needles() []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(s.subject.raw, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./@", r)
	}) {
		w = strings.Trim(w, "-./@")
		if len(w) > 3 && !stops[strings.ToLower(w)] && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return out[:min(len(out), mostNeedles)]
}

// lines takes whole lines from a place on.
func (p *sampler) lines(from, bytes int) {
	for bytes > 0 && from < len(p.text) {
		to := p.endOf(from)
		p.add(from, to)
		bytes -= min(to-from, lineBytes) + 1
		from = to + 1
	}
}

func (p *sampler) tail(bytes int) {
	from := len(p.text) - bytes
	if i := strings.IndexByte(p.text[from:], '\n'); i >= 0 {
		from += i + 1
	}
	p.lines(from, bytes)
}

func (p *sampler) add(from, to int) { p.spans = append(p.spans, span{from, min(to, from+lineBytes)}) }

func (p *sampler) endOf(i int) int {
	if k := strings.IndexByte(p.text[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(p.text)
}

// startOf is where the line of a place begins, or a piece of it where it is long.
func (p *sampler) startOf(i int) int {
	low := max(0, i-lineBytes/2)
	if k := strings.LastIndexByte(p.text[low:i], '\n'); k >= 0 {
		return low + k + 1
	}
	return low
}

// hits takes the lines in which words stand, few of those that are alike.
func (p *sampler) hits(words []string, bytes, behind int, wanted func(line string) bool) {
	like := map[uint64]int{}
	for _, w := range words {
		share := bytes * 3 / 4 // what one word does not take is for the next
		taken := eachHit(p.text, w, func(i int) (next, cost int) {
			from := p.startOf(i)
			to := min(p.endOf(i), from+lineBytes)
			line := p.text[from:to]
			if p.taken[from] || !wanted(line) {
				return to, 0
			}
			p.taken[from] = true
			t := template(line)
			if like[t]++; like[t] > fewAlike {
				return to, 0
			}
			for n := 0; n < behind && to < len(p.text); n++ {
				to = min(p.endOf(min(to+1, len(p.text))), to+lineBytes/4)
			}
			p.spans = append(p.spans, span{from, to})
			return to, to - from + 1
		}, share)
		bytes -= taken
	}
}

// eachHit calls fn with places of a word until the bytes are taken. Where a word stands very often it looks at a share
// of the places, spread over the text.
func eachHit(text, word string, fn func(i int) (next, cost int), bytes int) (taken int) {
	looked, step := 0, 0
	for i := 0; i < len(text) && taken < bytes; {
		k := strings.Index(text[i:], word)
		if k < 0 {
			break
		}
		next, cost := fn(i + k)
		taken += cost
		if looked++; looked == mostHits/2 {
			step = (len(text) - i) / (mostHits / 2)
		}
		i = max(next, i+k+1) + step
	}
	return taken
}

// spread takes lines from all over.
func (p *sampler) spread(bytes int) {
	step := len(p.text) / stridesOf
	for i := step; i < len(p.text) && bytes > 0; i += step {
		from := p.endOf(i) + 1
		if from > len(p.text) || from-i > lineBytes {
			from = p.startOf(i)
		}
		end := from
		for n := 0; end < len(p.text) && end-from < bytes && n < bytes/stridesOf; {
			to := p.endOf(end)
			p.add(end, to)
			n += min(to-end, lineBytes) + 1
			end = to + 1
		}
		bytes -= min(end-from, lineBytes)
	}
}

// join writes the spans in their order, none twice.
func (p *sampler) join(between string) string {
	slices.SortFunc(p.spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var b strings.Builder
	size := 0
	for _, s := range p.spans {
		size += s.to - s.from + len(between)
	}
	b.Grow(size)
	last := 0
	for _, s := range p.spans {
		s.from = max(s.from, last)
		if s.from >= s.to {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(between)
		}
		b.WriteString(strings.ToValidUTF8(p.text[s.from:s.to], ""))
		last = s.to
	}
	return b.String()
}
