package chunk

import (
	"context"
	"strings"
	"unicode/utf8"
)

// atom is a part that is not cut: a sentence, a line, or a part of a long one.
type atom struct {
	start, end int // including the white space after it
	tokens     int
	heading    int  // 1 + its index among the headings, 0 for none
	opens      bool // a paragraph begins here
}

// maxAtom is the maximum number of tokens of an atom.
const maxAtom = 64

// maxAtomBytes limits an atom before its tokens are counted.
const maxAtomBytes = 512

// every is the number of atoms that are made between two checks of the context.
const every = 4096

// splitAtoms cuts the source after its front matter. No atom has more than most tokens.
func splitAtoms(ctx context.Context, source string, l layout, most int, count func(string) int) ([]atom, error) {
	c := cutter{source: source, layout: l, most: most, count: count, opens: true}
	for at := l.body; at < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		for at < end {
			at = c.nextAtom(at, end)
			if len(c.list)%every == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	return c.list, nil
}

// cutter makes atoms of lines.
type cutter struct {
	source   string
	layout   layout
	most     int
	count    func(string) int
	list     []atom
	opens    bool // the next atom begins a paragraph
	headings int  // number passed so far
	solid    int  // spans of code passed so far
}

// nextAtom makes an atom that begins at a position of a line, and returns its end.
func (c *cutter) nextAtom(at, end int) int {
	if strings.TrimSpace(c.source[at:min(end, at+maxAtomBytes)]) == "" {
		return c.addBlank(at, min(end, at+maxAtomBytes))
	}
	a := atom{start: at, opens: c.opens}
	if h := c.headings; h < len(c.layout.headings) && c.layout.headings[h].at <= at {
		c.headings++
		a.heading, a.opens = c.headings, true
	}
	stop := sentenceEnd(c.source, at, min(end, at+maxAtomBytes), end)
	for a.tokens = c.count(c.source[at:stop]); a.tokens > c.most && stop-at > 1; a.tokens = c.count(c.source[at:stop]) {
		shorter := wordEnd(c.source, at, at+(stop-at)/2)
		if shorter <= at || shorter >= stop {
			break
		}
		stop = shorter
	}
	a.end = stop
	c.list = append(c.list, a)
	c.opens = a.heading > 0 && stop == end
	return stop
}

// addBlank adds white space to the previous atom; an empty line ends a paragraph, except in code.
func (c *cutter) addBlank(at, end int) int {
	for c.solid < len(c.layout.solid) && c.layout.solid[c.solid].end <= at {
		c.solid++
	}
	inside := c.solid < len(c.layout.solid) && c.layout.solid[c.solid].start <= at
	if (at == 0 || c.source[at-1] == '\n') && !inside {
		c.opens = true
	}
	if n := len(c.list); n > 0 {
		c.list[n-1].end = end
	}
	return end
}

// sentenceEnd returns the end of the first sentence, including the white space after it, or of the
// line, or of the last word before limit.
func sentenceEnd(source string, at, limit, end int) int {
	for i := at; i < limit-1; i++ {
		if c := source[i]; (c == '.' || c == '!' || c == '?') && isBlank(source[i+1]) {
			i++
			for i < limit && isBlank(source[i]) {
				i++
			}
			return i
		}
	}
	if limit == end {
		return end
	}
	return wordEnd(source, at, limit)
}

// wordEnd returns the last position up to limit where a word has ended, or at least a character.
func wordEnd(source string, at, limit int) int {
	if i := strings.LastIndexAny(source[at:limit], " \t"); i > 0 {
		return at + i + 1
	}
	stop := limit
	for stop > at && stop < len(source) && limit-stop < utf8.UTFMax && !utf8.RuneStart(source[stop]) {
		stop--
	}
	if stop > at {
		return stop
	}
	return limit
}

func isBlank(c byte) bool { return c == ' ' || c == '\f' || c == '\t' || c == '\n' || c == '\r' }
