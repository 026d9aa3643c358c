package glob

import (
	"errors"
	"fmt"
	"strings"
)

// Groups expands the {a,b} groups of a pattern, nested ones too, into no more than
// most patterns: groups multiply, so that forty bytes such as {a,b}{a,b}... could cost more
// than all the matching. A group without a comma stands for its content.
func Groups(pattern string, most int) ([]string, error) {
	var out []string
	for todo := []string{pattern}; len(todo) > 0; {
		p := todo[0]
		todo = todo[1:]
		head, options, tail, err := firstGroup(p)
		if err != nil {
			return nil, err
		}
		if options == nil {
			out = append(out, p)
			continue
		}
		next := make([]string, 0, len(options)+len(todo))
		for _, o := range options {
			next = append(next, head+o+tail)
		}
		if todo = append(next, todo...); len(out)+len(todo) > most {
			return nil, fmt.Errorf("its groups stand for more than %d patterns", most)
		}
	}
	return out, nil
}

// firstGroup finds the first group of a pattern, outside of sets and escapes. options
// is nil if there is none.
func firstGroup(p string) (head string, options []string, tail string, err error) {
	open, depth, start := -1, 0, 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			if next, _, ok := Bytes.parseSet(p, i, 0); ok {
				i = next - 1
			}
		case '{':
			if depth++; depth == 1 {
				open, start = i, i+1
			}
		case ',':
			if depth == 1 {
				options = append(options, p[start:i])
				start = i + 1
			}
		case '}':
			if depth--; depth < 0 {
				return "", nil, "", errors.New(`a } closes no {: write \} for the character itself`)
			}
			if depth == 0 {
				return p[:open], append(options, p[start:i]), p[i+1:], nil
			}
		}
	}
	if depth > 0 {
		return "", nil, "", errors.New(`a { is not closed: write {a,b}, or \{ for the character itself`)
	}
	return p, nil, "", nil
}

// Check returns what is wrong with a user's pattern without groups: a set that is not
// closed, is empty or has a reversed range, or a backslash at its end.
func Check(pattern string) error {
	for p := 0; p < len(pattern); p++ {
		switch pattern[p] {
		case '\\':
			if p++; p == len(pattern) {
				return errors.New(`nothing follows the last backslash: write \\ for the character itself`)
			}
		case '[':
			if strings.HasPrefix(pattern[p:], "[]") && !strings.Contains(pattern[p+2:], "]") {
				return errors.New(`the brackets are empty: list characters in them, or write \[ for the character itself`)
			}
			next, _, ok := Runes.parseSet(pattern, p, 0)
			if !ok {
				return errors.New(`a [ is not closed: write [ab], or \[ for the character itself`)
			}
			if low, high, ok := upsideDown(pattern[p+1 : next-1]); ok {
				return fmt.Errorf("the range %c-%c is upside down: write %c-%c", low, high, high, low)
			}
			p = next - 1
		}
	}
	return nil
}

// upsideDown finds a reversed range, which matches nothing, in the members of a set.
func upsideDown(members string) (low, high rune, found bool) {
	members = strings.TrimLeft(members, "!^")
	for p := 0; p < len(members); {
		if strings.HasPrefix(members[p:], "[:") {
			if size, _ := classAt(members[p:] + "]"); size > 0 {
				p += size
				continue
			}
		}
		low, next, _ := Runes.parseMember(members, p)
		if next+1 < len(members) && members[next] == '-' {
			high, after, _ := Runes.parseMember(members, next+1)
			if low > high {
				return low, high, true
			}
			next = after
		}
		p = next
	}
	return 0, 0, false
}
