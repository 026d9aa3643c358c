package compact

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A longer text is not read whole: its beginning, its end, lines that report faults, lines about the subject and lines
// from all over stand for it. This keeps the time near that of a search, and limits memory.
const (
	sampleBytes = 64 << 10
	partedBytes = 512 << 10 // if lines are nested, because a sample loses sight of their parents
	sampleShare = 16        // and this many times the limit of the summary
	htmlBytes   = 4 << 20   // maximum length of a page to read
	lineBytes   = 4 << 10   // maximum length of a line in a sample
	maxHits     = 4096      // occurrences of a word to look at; of more, a share that is spread evenly
	maxNeedles  = 24        // words of the subject
	fewAlike    = 5         // lines that differ only in numbers
	stridesOf   = 256       // number of places from all over
	behindFault = 4         // lines after one that reports a fault
	quarter     = 4         // the beginning, the end and faults get up to 1/quarter of a sample each, the subject half of that
)

// readWhole returns the length up to which a text of a kind is read whole: in some kinds, what differs from its
// neighbours is found by counting all of them.
func readWhole(kind Kind, text string) int {
	switch kind {
	case Tests:
		if looksLikeJUnit(strings.TrimSpace(cut(text, looked))) { // a test that is read in part is useless
			return htmlBytes
		}
	case Table, JSON, Listing, Hits, INI, Help, Log:
	default:
		return sampleBytes
	}
	return 8 * sampleBytes
}

// span is a part of a text.
type span struct{ from, to int }

// withoutSpans returns a text without the spans, which are in order.
func withoutSpans(text string, drop []span) string {
	var b strings.Builder
	last := 0
	for _, d := range drop {
		b.WriteString(text[last:d.from])
		last = d.to
	}
	b.WriteString(text[last:])
	return b.String()
}

// indexesOf returns the indexes of a slice, to be put in another order.
func indexesOf[T any](all []T) []int {
	out := make([]int, len(all))
	for i := range out {
		out[i] = i
	}
	return out
}

// sampler selects spans of a text.
type sampler struct {
	text   string
	ends   []span   // its beginning and its end
	spans  []span   // the spans found between them
	taken  *numbers // the lines that were found, by their offsets
	first  []int32  // line of the text for each line of the sample, from 0
	parted bool     // an omission mark on a line of its own separates parts
}

// sampleLines returns whole lines of a text within a limit, and whether they are only a part of it.
func (s *shortener) sampleLines(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	p := &sampler{text: text, parted: s.parted, taken: newNumbers(sampleBytes / 256), spans: make([]span, 0, sampleBytes/64)}
	p.addLines(0, most/quarter)
	p.tail(most / quarter)
	p.ends, p.spans = p.spans, make([]span, 0, sampleBytes/128)
	named := s.subjectNeedles()
	here := wordsIn(text, slices.Concat(faultNeedles, named))
	absent := func(w string) bool { return !here[w] }
	p.addHits(slices.DeleteFunc(slices.Clone(faultNeedles), absent), most/quarter, behindFault, tellsError)
	p.addHits(slices.DeleteFunc(named, absent), most/quarter/2, 0, func(string) bool { return true })
	p.addSpread(most / quarter / 2)
	read := p.join("\n")
	s.read = textLines{text: read, first: p.first, last: p.first, total: strings.Count(text, "\n") + 1}
	return read, true
}

// faultNeedles are parts of words in lines that report a fault, few enough for a fast search.
var faultNeedles = []string{"rror", "ERROR", "ail", "FAIL", "anic", "xception", "atal", "FATAL", "arn", "WARN", "illed", "Out of memory"}

// subjectNeedles returns the words of the subject in their original case, longest first.
func (s *shortener) subjectNeedles() []string {
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
	return out[:min(len(out), maxNeedles)]
}

// addLines adds whole lines from an offset on.
func (p *sampler) addLines(from, bytes int) {
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
	p.addLines(from, bytes)
}

func (p *sampler) add(from, to int) { p.spans = append(p.spans, span{from, min(to, from+lineBytes)}) }

func (p *sampler) endOf(i int) int { return endOfLine(p.text, i) }

// startOf returns the beginning of the line at i, or of a piece of it if the line is long.
func (p *sampler) startOf(i int) int {
	low := max(0, i-lineBytes/2)
	if k := strings.LastIndexByte(p.text[low:i], '\n'); k >= 0 {
		return low + k + 1
	}
	return low
}

// addHits adds the lines that contain one of the words, and only a few of those that are alike.
func (p *sampler) addHits(words []string, bytes, behind int, wanted func(line string) bool) {
	like := make(map[uint64]int, sampleBytes/1024)
	for _, w := range words {
		share := bytes * 3 / 4 // what one word does not use is left for the next
		taken := eachHit(p.text, w, func(i int) (next, cost int) {
			from := p.startOf(i)
			to := min(p.endOf(i), from+lineBytes)
			line := p.text[from:to]
			if !wanted(line) {
				return to, 0
			}
			if _, fresh := p.taken.ofHash(maphash.Comparable(seedOfNumbers, from)); !fresh {
				return to, 0
			}
			t := templateHash(line)
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

// eachHit calls fn with the offsets of a word until the bytes are used up. If the word is very frequent, only a share
// of the occurrences is visited, spread over the text.
func eachHit(text, word string, fn func(i int) (next, cost int), bytes int) (taken int) {
	looked, step := 0, 0
	for i := 0; i < len(text) && taken < bytes; {
		k := strings.Index(text[i:], word)
		if k < 0 {
			break
		}
		next, cost := fn(i + k)
		taken += cost
		if looked++; looked == maxHits/2 {
			step = (len(text) - i) / (maxHits / 2)
		}
		i = max(next, i+k+1) + step
	}
	return taken
}

// addSpread adds lines from all over the text.
func (p *sampler) addSpread(bytes int) {
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

// compareSpans orders spans by their beginning, of equal ones the longest first.
func compareSpans(a, b span) int {
	return cmp.Or(a.from-b.from, b.to-a.to)
}

// next removes and returns the first of the remaining spans.
func (p *sampler) next() span {
	from := &p.spans
	if len(p.spans) == 0 || len(p.ends) > 0 && compareSpans(p.ends[0], p.spans[0]) < 0 {
		from = &p.ends
	}
	s := (*from)[0]
	*from = (*from)[1:]
	return s
}

// sizeOfSpans returns the maximum length of spans when written.
func sizeOfSpans(spans []span, between string) int {
	size := 0
	for _, s := range spans {
		size += s.to - s.from + len(between) + 2*len(omission)
	}
	return size
}

// join writes the spans in order, without overlaps.
func (p *sampler) join(between string) string {
	slices.SortFunc(p.ends, compareSpans) // already in order, except for very long lines
	slices.SortFunc(p.spans, compareSpans)
	var b strings.Builder
	size := sizeOfSpans(p.ends, between) + sizeOfSpans(p.spans, between)
	b.Grow(size)
	p.first = make([]int32, 0, size/32)
	last, line := 0, 0
	for len(p.ends)+len(p.spans) > 0 {
		s := p.next()
		s.from = max(s.from, last)
		if s.from >= s.to {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(between)
			if p.parted && s.from > last+1 {
				b.WriteString(omission + between)
				p.first = append(p.first, int32(line))
			}
		}
		line += strings.Count(p.text[last:s.from], "\n")
		p.first = append(p.first, int32(line))
		for range strings.Count(p.text[s.from:s.to], "\n") {
			line++
			p.first = append(p.first, int32(line))
		}
		if s.from > 0 && p.text[s.from-1] != '\n' {
			b.WriteString(omission) // a mark, since it begins inside a line
		}
		b.WriteString(p.text[s.from:s.to])
		if s.to < len(p.text) && p.text[s.to] != '\n' {
			b.WriteString(omission)
		}
		last = s.to
	}
	if !utf8.ValidString(b.String()) { // checking is faster than converting
		return strings.ToValidUTF8(b.String(), "")
	}
	return b.String()
}
