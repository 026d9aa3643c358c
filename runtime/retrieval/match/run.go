package match

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// errCrowded reports that a text makes the automaton build states about as fast as it reads.
var errCrowded = errors.New("too many states for this text")

// bytesPerState is the number of bytes per state that must have been read when the cache fills up.
const bytesPerState = 10

// find returns a position in, or at the end of, the first line of buf[from:] that matches, or -1;
// buf[from] begins a line. With errCrowded no line before the position's matches.
func (c *cache) find(buf []byte, from int, m *meter) (int, error) {
	i, err := c.run(buf, from, m)
	switch {
	case errors.Is(err, errCrowded):
		c.reset()
	case i < 0:
		c.read += len(buf) - from
	default:
		c.read += i - from
	}
	return i, err
}

func (c *cache) run(buf []byte, from int, m *meter) (int, error) {
	s := c.start
	next, columns := c.next, &c.columns
	for i := from; i < len(buf); {
		t, size := next[s+uint32(columns[buf[i]])], 1
		if t < reserved {
			s = t
			i++
			continue
		}
		if t == unknown || t == wide {
			if c.full() {
				if c.read+i-from < bytesPerState*len(c.states) {
					return i, errCrowded
				}
				s = c.restart(s)
				c.read = from - i
			}
			t, size = c.learnTransition(s, buf[i:])
			next = c.next
			if err := m.spend(len(c.now.list) + len(c.then.list)); err != nil {
				return i, err
			}
		}
		switch t {
		case accept:
			return i, nil
		case dead:
			size = bytes.IndexByte(buf[i:], '\n') + 1
			if size == 0 {
				return -1, nil
			}
			t = c.start
		}
		s = t
		i += size
	}
	if from < len(buf) && buf[len(buf)-1] != '\n' && c.acceptsEnd(s) {
		return len(buf), nil
	}
	return -1, nil
}

// learnTransition computes and stores the transition of s on the first character of text, which is size bytes long.
func (c *cache) learnTransition(s uint32, text []byte) (t uint32, size int) {
	if text[0] < utf8.RuneSelf {
		t = c.step(s, rune(text[0]))
		c.next[s+uint32(c.columns[text[0]])] = t
		return t, 1
	}
	r, size := utf8.DecodeRune(text)
	key := runeStep{s, r}
	t, ok := c.runes[key]
	if !ok {
		t = c.step(s, r)
		c.runes[key] = t
	}
	return t, size
}

// acceptsEnd reports whether the line matches if it ends in state s.
func (c *cache) acceptsEnd(s uint32) bool {
	if c.next[s] == unknown {
		c.next[s] = c.step(s, '\n')
	}
	return c.next[s] == accept
}

// restart empties the cache of all states but s, and returns the new number of s.
func (c *cache) restart(s uint32) uint32 {
	kept := c.states[int(s)/c.width()]
	c.reset()
	return c.intern(kept.set, kept.before)
}
