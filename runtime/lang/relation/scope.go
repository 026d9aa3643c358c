package relation

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// local is a place in a function that declares or assigns a variable.
type local struct {
	typed
	at        int
	from, end int  // its scope
	declares  bool // it declares a variable, which hides others of the name
	untold    bool // it assigns a value of unknown type
	of        int  // index of the declaration whose variable this assigns, -1 if none; not used for a declaration
}

// maxLocals limits the places of one name in a function.
const maxLocals = 200

// localsOf lists, in order, the places that declare or assign a name in the function that begins on a line.
func localsOf(r *Reader, name string, line, from, to int) []local {
	key := scoped{name, line}
	if list, ok := r.locals[key]; ok {
		return list
	}
	var list []local
	whole := eachPlace(r, name, from, to, func(at, end int) bool {
		if l, ok := readLocal(r, at, end, to); ok {
			list = append(list, l)
		}
		return len(list) <= maxLocals
	})
	if !whole || len(list) > maxLocals {
		list = []local{{from: from, end: to, declares: true}} // as if declared without a known type
	}
	for i := range list {
		list[i].of = -1
		for k := range list[:i] {
			if list[k].declares && list[i].at < list[k].end {
				list[i].of = k
			}
		}
	}
	if r.locals == nil {
		r.locals = map[scoped][]local{}
	}
	r.locals[key] = list
	return list
}

// typeInSight returns the type of a variable at an offset, according to the last declaration in scope and all
// assignments to it. found reports whether there are any.
func typeInSight(list []local, at int, p *profile) (t typed, found bool) {
	in := -1
	for i := range list {
		if l := &list[i]; l.declares && l.from <= at && at < l.end {
			in = i
		}
	}
	var all agreement
	for i := range list {
		if l := &list[i]; i == in || !l.declares && l.of == in {
			all.add(l.typed, l.untold, l.declares)
			found = true
		}
	}
	return all.result(p), found
}

// readLocal reads whether the name from at to end is declared or assigned there. In languages without block scope a
// variable is in scope in the whole function.
func readLocal(r *Reader, at, end, to int) (l local, ok bool) {
	if c := byteAt(r.code, at-1); c == '.' || c == '@' || c == '>' && byteAt(r.code, at-2) == '-' {
		return local{}, false // of something else
	}
	l = local{at: at, from: at, end: to}
	d, ok := r.readDeclaration(at, end)
	switch {
	case ok && (!d.stated || r.src.Lang == symbols.Swift) && isArgument(r, at):
		return local{}, false
	case ok:
		l.typed, l.untold = d, d != undeclared && setsUntold(r, at, end)
		l.declares = !isMemberType(r, at, d) && (d.stated || r.profile.typesFirst || declaresVariable(r, at))
	default:
		l.typed, l.declares, end = declaredSilently(r, at, end)
		l.untold = l.typed == typed{}
	}
	l.declares = l.declares && r.profile.blockScope
	if end > 0 && l.declares {
		l.from, l.end = sightOf(r, at, end, to, l.typed == undeclared)
	}
	return l, end > 0
}

// isMemberType reports whether the type after a name of TypeScript may belong to a member: { name: T }.
func isMemberType(r *Reader, at int, d typed) bool {
	if r.family != symbols.JavaScript || !d.stated {
		return false
	}
	before := bytes.TrimRight(r.code[:at], " \t\r\n")
	c := byteAt(before, len(before)-1)
	return c == '{' || c == ';' || c == ',' && openBefore(r, at) != '('
}
