package rawjson

import (
	"cmp"
	"math"
	"strconv"
)

// level is one open object or array on the way to the current token.
type level struct {
	seen map[string]bool // names of an object; nil for an array
	name string          // the member being read
	item int             // the item being read
}

// Duplicate returns the path of a member that its object names twice, such as "constraints.tokens" or "rows[2].id", or
// "" if no object at any depth does. It makes one pass over the text, whatever its depth: walking level by level would
// read the innermost value once for each bracket around it. A second pass finds the path, if there is one.
func Duplicate(data []byte) string {
	if Sound(data, math.MaxInt) == nil {
		return ""
	}
	var stack []level
	for s := Scan(data); ; {
		t, ok := s.Next()
		if !ok {
			return ""
		}
		if len(stack) > 0 && t.First != '}' && t.First != ']' {
			if top := &stack[len(stack)-1]; top.seen == nil {
				top.item++
			}
		}
		switch t.First {
		case '{':
			stack = append(stack, level{seen: map[string]bool{}})
		case '[':
			stack = append(stack, level{item: -1})
		case '}', ']':
			stack = stack[:len(stack)-1]
		case '"':
			if t.Name && !stack[len(stack)-1].addName(data[t.Start:t.End]) {
				return cmp.Or(pathOf(stack), `""`) // the empty name is a path too
			}
		}
	}
}

// addName records a name. It returns false for one seen before.
func (l *level) addName(quoted []byte) bool {
	name, err := Text(quoted)
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

func pathOf(stack []level) string {
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
