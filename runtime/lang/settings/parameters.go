package settings

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// explained matches a parameter that a comment explains: ":param name: text" and "@param {type} [name=default] text".
var explained = lazyregexp.New(`^\s*(?:\*\s*)?(?::(?:param|keyword|ivar|arg)\s+(?:[\w.\[\], ]+\s)?(\w+):|@param\s+(?:\{[^}]*\}\s+)?\[([\w.$]+)(?:=([^\]]*))?\])\s*(.*)$`)

// maxParameters limits the parameters of one file.
const maxParameters = 300

// findParameters finds the parameters that comments explain: there is no other table of what the caller of a library can
// set. In JavaScript only the optional ones are options.
func (f *finder) findParameters() {
	if !strings.Contains(f.text, ":param ") && !strings.Contains(f.text, "@param ") {
		return
	}
	n := 0
	for i, line := range f.lines {
		if !strings.Contains(line, "param ") && !strings.Contains(line, ":keyword ") {
			continue
		}
		m := explained.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if n++; n > maxParameters {
			return
		}
		text := m[4]
		for j := i + 1; j < min(len(f.lines), i+6); j++ {
			s := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(f.lines[j]), "*"))
			if s == "" || s[0] == ':' || s[0] == '@' || s == "/" || strings.HasPrefix(s, `"""`) {
				break
			}
			text += " " + s
		}
		o := Option{Name: m[1] + m[2], Kind: Parameter, Default: m[3], Help: text, Line: i + 1}
		if o.Default == "" {
			o.Default = DefaultIn(text)
		}
		if d, ok := symbols.Enclosing(f.defs, i+1); ok {
			o.Owner = d.Name
		}
		f.add(o)
	}
}
