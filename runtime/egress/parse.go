package egress

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

var errNotJSON = errors.New("reply is not JSON")

// parse reads what marshal wrote: valid JSON without white space between its parts. Every reply passes here, so that it
// goes over the bytes once; encoding/json's tokens cost as much as looking for secrets does.
func parse(raw []byte) (*node, error) {
	p := parser{raw: raw}
	n, ok := p.value()
	if !ok || p.at != len(raw) {
		return nil, errNotJSON
	}
	return n, nil
}

type parser struct {
	raw []byte
	at  int
}

// peek is the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.raw) {
		return p.raw[p.at]
	}
	return 0
}

func (p *parser) value() (*node, bool) {
	switch c := p.peek(); c {
	case '{', '[':
		return p.inside(c)
	case '"':
		text, ok := p.text()
		return &node{isStr: true, text: text}, ok
	}
	from := p.at
	if n := bytes.IndexAny(p.raw[from:], ",]}"); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.raw)
	}
	return &node{leaf: string(p.raw[from:p.at])}, p.at > from
}

func (p *parser) inside(open byte) (*node, bool) {
	n, end := &node{delim: open}, open+2 // '{'+2 is '}', '['+2 is ']'
	p.at++
	if p.peek() == end {
		p.at++
		return n, true
	}
	for {
		if open == '{' {
			key, ok := p.text()
			if !ok || p.peek() != ':' {
				return nil, false
			}
			p.at++
			n.keys = append(n.keys, key)
		}
		kid, ok := p.value()
		if !ok {
			return nil, false
		}
		n.kids = append(n.kids, kid)
		switch p.peek() {
		case ',':
			p.at++
		case end:
			p.at++
			return n, true
		default:
			return nil, false
		}
	}
}

// text reads a string. encoding/json takes out escapes, and bytes that are no UTF-8.
func (p *parser) text() (s string, ok bool) {
	if p.peek() != '"' {
		return "", false
	}
	from := p.at
	for p.at++; p.peek() != '"'; p.at++ {
		if p.peek() == '\\' {
			p.at++
		}
		if p.at >= len(p.raw) {
			return "", false
		}
	}
	p.at++
	if s = string(p.raw[from+1 : p.at-1]); plain(s) {
		return s, true
	}
	return s, json.Unmarshal(p.raw[from:p.at], &s) == nil
}

// plain reports whether the JSON of a string is the string in quotes. It is so of some others as well.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
