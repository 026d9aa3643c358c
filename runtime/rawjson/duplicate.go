package rawjson

import (
	"cmp"
	"strconv"
)

// level is one open object or array on the way to the byte being read.
type level struct {
	seen map[string]bool // names of an object; nil for an array
	name string          // the member being read
	item int             // the item being read
	key  bool            // an object's next string is a name
}

// Duplicate returns the path of a member that its object names twice, such as "constraints.tokens" or "rows[2].id"; ""
// when there is none at any depth. One pass over the text, whatever its depth: walking level by level would read the
// innermost value once for each bracket around it.
func Duplicate(data []byte) string {
	var stack []level
	for i := 0; i < len(data); {
		switch data[i] {
		case '{':
			stack = append(stack, level{seen: map[string]bool{}, key: true})
		case '[':
			stack = append(stack, level{})
		case '}', ']':
			if len(stack) == 0 {
				return ""
			}
			stack = stack[:len(stack)-1]
		case ',':
			if len(stack) > 0 {
				stack[len(stack)-1].next()
			}
		case '"':
			end := stringEnd(data, i)
			if end < 0 {
				return ""
			}
			if len(stack) > 0 && !stack[len(stack)-1].take(data[i:end]) {
				return cmp.Or(path(stack), `""`) // the empty name is one too
			}
			i = end
			continue
		}
		i++
	}
	return ""
}

// next moves on to the next member or item.
func (l *level) next() {
	l.item++
	l.key = l.seen != nil
}

// take notes a string: a name when one is due. It reports false for a name seen before.
func (l *level) take(text []byte) bool {
	if !l.key {
		return true
	}
	l.key = false
	name, err := Text(text)
	if err != nil {
		return true
	}
	l.name = name
	if l.seen[name] {
		return false
	}
	l.seen[name] = true
	return true
}

func path(stack []level) string {
	out := ""
	for _, l := range stack {
		switch {
		case l.seen == nil:
			out += "[" + strconv.Itoa(l.item) + "]"
		case out == "":
			out = l.name
		default:
			out += "." + l.name
		}
	}
	return out
}
