package egress

import (
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

var errNotJSON = errors.New("reply is not JSON")

// parse reads what rawjson.Marshal wrote.
func parse(raw []byte) (*node, error) {
	top := &node{delim: '['}
	open := []*node{top}
	for tokens := rawjson.Scan(raw); ; {
		t, ok := tokens.Next()
		if !ok {
			if t.First != 0 || len(open) > 1 || len(top.kids) != 1 {
				return nil, errNotJSON
			}
			return top.kids[0], nil
		}
		in := open[len(open)-1]
		switch text := raw[t.Start:t.End]; t.First {
		case '{', '[':
			n := &node{delim: t.First}
			in.kids, open = append(in.kids, n), append(open, n)
		case '}', ']':
			if t.First != in.delim+2 || in.delim == '{' && len(in.keys) != len(in.kids) { // '{'+2 is '}', '['+2 is ']'
				return nil, errNotJSON
			}
			open = open[:len(open)-1]
		case '"':
			s, err := rawjson.Text(text)
			if err != nil {
				return nil, errNotJSON
			}
			if t.Name {
				in.keys = append(in.keys, s)
			} else {
				in.kids = append(in.kids, &node{isStr: true, text: s})
			}
		default:
			in.kids = append(in.kids, &node{leaf: string(text)})
		}
	}
}
