package relation

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// maxCallChain limits how many calls on results of calls are followed.
const maxCallChain = 4

// calledAt returns the call of the name at an offset, or nil if it is not called there.
func calledAt(r *Reader, at int) *Called {
	if at <= 0 || r.depth >= maxCallChain {
		return nil
	}
	if known, ok := r.calls[at]; ok {
		return known
	}
	r.depth++
	name := string(leadingWord(r.code[at:]))
	m, ok := r.Resolve(name, r.lineOf(at), at)
	r.depth--
	if !ok || m.Form != Call {
		return nil
	}
	c := &Called{name, m}
	if r.depth == 0 { // a deeper chain may have been cut off
		if r.calls == nil {
			r.calls = map[int]*Called{}
		}
		r.calls[at] = c
	}
	return c
}

// Returns describes the first result of a function of the file by its Base: Type for a value of a named type, Self for
// the type that the function is called on, else Unknown.
func (r *Reader) Returns(d *symbols.Def) Usage {
	m := Usage{Path: r.src.Path, TypePath: r.src.Path, Line: d.Line, Lang: r.src.Lang, Base: Unknown}
	r.readImports()
	start := r.lineStart(d.Line)
	at := indexWord(r.code[start:min(len(r.code), start+maxStatement)], d.Name)
	if at < 0 {
		return m
	}
	t := resultType(r, start+at, start+at+len(d.Name))
	switch t.name {
	case "", "Task", "ValueTask", "Future", "FutureOr", "Awaitable", "Coroutine", "Deferred", "Annotated", "Ref", "RefMut", "RwLockReadGuard", "RwLockWriteGuard":
		// nothing, or a wrapper of the value
	case "Self", "self", "static", "this":
		m.Base = Self
	default:
		r.ofType(&m, t)
		if len(t.name) == 1 && !slices.ContainsFunc(r.src.Defs, func(o symbols.Def) bool { return o.Name == t.name && o.Kind.IsType() }) {
			m.Base = Unknown // a type parameter
		}
	}
	return m
}

// arrowValue matches what separates the name of a variable from the parameters of the arrow function that it is set to.
var arrowValue = regexp.MustCompile(`^\s*=\s*(async\s*)?[(<]`)

// resultType reads the declared result type of the function whose name is from at to end.
func resultType(r *Reader, at, end int) typed {
	if r.profile.typesFirst {
		t, _ := r.typeBefore(at)
		return t
	}
	if m := arrowValue.FindIndex(r.code[end:min(len(r.code), end+maxStatement)]); m != nil && r.family == symbols.JavaScript {
		end += m[1] - 1
	}
	if c := byteAt(r.code, end); c == '[' || c == '<' {
		end = pastBrackets(r.code, end, end)
	}
	if byteAt(r.code, end) != '(' || r.profile.readResult == nil {
		return typed{}
	}
	return r.profile.readResult(r, r.skipOn(pastBlock(r, end+1, min(len(r.code), end+maxValue))+1))
}

// readGoResult reads the first result: T, (T, error) or (name T, err error).
func readGoResult(r *Reader, at int) typed {
	rest := r.code[min(at, len(r.code)):]
	if byteAt(rest, 0) != '(' {
		return r.readType(at)
	}
	t := r.readType(at + 1)
	if word := leadingWord(rest[1:]); t.qualifier == "" && t.name == string(word) {
		if behind := bytes.TrimLeft(rest[1+len(word):], " "); len(behind) > 0 && (wordByte(behind[0]) || behind[0] == '*') {
			return r.readType(at + 1 + len(word))
		}
	}
	return t
}

// readResultAfter reads a result type behind a mark.
func readResultAfter(mark string) func(r *Reader, at int) typed {
	return func(r *Reader, at int) typed {
		if !bytes.HasPrefix(r.code[min(at, len(r.code)):], []byte(mark)) {
			return typed{}
		}
		return r.readType(at + len(mark))
	}
}
