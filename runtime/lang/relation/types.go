package relation

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// typed is a type as a declaration names it.
type typed struct {
	name      string
	qualifier string // its package or module
	guess     bool   // guessed from the name of what holds the value
	stated    bool   // the declaration states it, so that values have no other type
	mixed     bool   // some assigned values have an unknown type
	pointer   bool   // a pointer to a value of the type
	call      int    // if name is empty: offset of the name of the function that returns the value, 0 if unknown
}

// typeOf returns the declared type of a variable that is used at an offset: by the nearest declaration before it in the
// enclosing function, else by one of the file.
func (r *Reader) typeOf(name string, at int) typed {
	t, _ := r.typeAt(name, at)
	return t
}

// typeAt returns the declared type of a variable that is used at an offset, and whether there is any declaration.
func (r *Reader) typeAt(name string, at int) (typed, bool) {
	from, to, line, around := 0, len(r.code), 0, r.lineOf(at)
	if around > 0 {
		if d, ok := r.outermostFunction(around); ok {
			from, to, line = r.lineStart(d.Line), r.lineStart(d.EndLine+1), d.Line
		}
	}
	if shared, _ := r.sharesLine(around, at); shared {
		return typed{}, false // its function is not known
	}
	t, found := typeInSight(localsOf(r, name, line, from, to), at, r.profile)
	if !found && name[0] == '@' {
		return instanceField(r, name, around)
	}
	if !found && from > 0 && r.profile.impliesThis {
		t, found = fieldAround(r, name, around, outsideFunctions)
	}
	if _, imported := r.imports[name]; !found && from > 0 && !imported {
		t, found = declaredInFile(r, name)
	}
	return t, found
}

// declaredInFile returns the type of a variable that is declared outside of functions and types.
func declaredInFile(r *Reader, name string) (typed, bool) {
	key := scoped{name, 0}
	if t, ok := r.types[key]; ok {
		return t.typed, t.found
	}
	t, found := r.declaredIn(name, 0, len(r.code), outsideTypes)
	r.cacheType(key, t, found)
	return t, found
}

// fieldType returns the type of a field according to any declaration in the file.
func (r *Reader) fieldType(name string) typed {
	key := scoped{name, -1}
	if t, ok := r.types[key]; ok {
		return t.typed
	}
	t, found := r.declaredIn(name, 0, len(r.code), everywhere)
	t.guess = true // it may be a field of another type, or a variable
	r.cacheType(key, t, found)
	return t
}

func (r *Reader) cacheType(key scoped, t typed, found bool) {
	if r.types == nil {
		r.types = map[scoped]kept{}
	}
	r.types[key] = kept{t, found}
}

func (r *Reader) lineOf(at int) int {
	lo, hi := 0, len(r.lines)
	for lo < hi {
		if mid := (lo + hi) / 2; r.lines[mid] <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// outermostFunction returns the outermost function around a line, so that the variables a closure captures are found.
func (r *Reader) outermostFunction(line int) (symbols.Def, bool) {
	for _, d := range r.src.Defs {
		if (d.Kind == symbols.KindFunction || d.Kind == symbols.KindMethod) && d.Line <= line && d.EndLine >= line {
			return d, true
		}
	}
	return symbols.Def{}, false
}

// fieldAround returns the type of a field of the types around a line, innermost first, or of the type that the
// enclosing method belongs to.
func fieldAround(r *Reader, name string, line int, where declScope) (t typed, found bool) {
	for i := len(r.src.Defs) - 1; i >= 0; i-- {
		d := &r.src.Defs[i]
		if !d.Kind.IsType() || d.Line > line || line > d.EndLine {
			continue
		}
		key := scoped{name + " of", d.Line<<2 | int(where)}
		known, ok := r.types[key]
		if !ok {
			known.typed, known.found = r.declaredIn(name, r.lineStart(d.Line), r.lineStart(d.EndLine+1), where)
			r.cacheType(key, known.typed, known.found)
		}
		if known.found {
			return known.typed, true
		}
	}
	if d, ok := r.outermostFunction(line); ok && d.Container != "" {
		return r.fieldOf(lastIdent(d.Container), name, where)
	}
	return typed{}, false
}

// instanceField returns the type of a Ruby @field, which any method of the innermost class around a line may set. It
// finds nothing in a class with nested ones, whose fields are not its own.
func instanceField(r *Reader, name string, line int) (t typed, found bool) {
	in := -1
	for i := range r.src.Defs {
		d := &r.src.Defs[i]
		switch {
		case !d.Kind.IsType():
		case d.Line <= line && line <= d.EndLine:
			in = i
		case in >= 0 && d.Line <= r.src.Defs[in].EndLine && d.Line > r.src.Defs[in].Line:
			return typed{}, false
		}
	}
	if in < 0 {
		return typed{}, false
	}
	key := scoped{name, -3 - in}
	if t, ok := r.types[key]; ok {
		return t.typed, t.found
	}
	d := &r.src.Defs[in]
	t, found = r.declaredIn(name, r.lineStart(d.Line), r.lineStart(d.EndLine+1), everywhere)
	r.cacheType(key, t, found)
	return t, found
}

// declScope selects which declarations of a name count.
type declScope uint8

const (
	everywhere       declScope = iota
	outsideFunctions           // of a file or a type
	outsideTypes               // of a file
	properties                 // of a type, or of a constructor in PHP that makes its parameters properties
)

// promotes matches what precedes a constructor's parameter that is a property, too.
var promotes = regexp.MustCompile(`\b(?:public|protected|private|readonly)\s+[?\w\\|]+\s+$`)

// counts reports whether a declaration at an offset counts.
func (p declScope) counts(r *Reader, at int) bool {
	if p == everywhere {
		return true
	}
	r.steps -= len(r.src.Defs)
	line := r.lineOf(at)
	if p == properties && promotes.Match(r.headOf(max(0, at-maxBehind), at)) {
		return true
	}
	if _, in := r.outermostFunction(line); in {
		return false
	}
	for i := range r.src.Defs {
		if d := &r.src.Defs[i]; p == outsideTypes && d.Kind.IsType() && d.Line <= line && line <= d.EndLine {
			return false
		}
	}
	return true
}

// declaredIn returns the type that the declarations of a name in a range agree on. found reports whether there is any
// declaration.
func (r *Reader) declaredIn(name string, from, to int, where declScope) (t typed, found bool) {
	var all agreement
	whole := eachPlace(r, name, from, to, func(at, end int) bool {
		if d, ok := r.readDeclaration(at, end); ok && where.counts(r, at) {
			found = true
			all.add(d, setsUntold(r, at, end), declaresVariable(r, at))
		}
		return !all.differ
	})
	if !whole {
		return typed{}, false
	}
	return all.result(r.profile), found
}

// eachPlace calls visit for each occurrence of a name in a range until it returns false. It returns false if the reader
// ran out of steps.
func eachPlace(r *Reader, name string, from, to int, visit func(at, end int) bool) bool {
	for i := from; i < to; {
		if r.steps -= 64; r.steps < 0 {
			return false
		}
		k := bytes.Index(r.code[i:to], []byte(name))
		if k < 0 {
			r.steps -= to - i
			break
		}
		r.steps -= k
		i += k + len(name)
		at := i - len(name)
		if at > 0 && wordByte(r.code[at-1]) || i < len(r.code) && wordByte(r.code[i]) {
			continue
		}
		if !visit(at, i) {
			break
		}
	}
	return true
}

// agreement is the type that the declarations of a name agree on.
type agreement struct {
	typed
	differ   bool // they have different types: the type is unknown
	untold   bool // a declaration has an unknown type
	declares bool // and declares the variable rather than assigns it
}

// add adds a declaration. untold reports that it sets the name to a value of unknown type, declares that it declares
// the variable rather than assigns it.
func (a *agreement) add(d typed, untold, declares bool) {
	switch {
	case d == undeclared:
		a.differ = true
	case d.name == "":
		if untold {
			a.call = d.call
		}
		if a.untold {
			a.call = 0 // one of several
		}
		a.untold, a.declares = a.untold || untold, a.declares || untold && declares
	case a.name == "":
		a.typed = d
		a.untold = a.untold || d.mixed
	case d.name != a.name || d.qualifier != a.qualifier:
		a.differ = true
	default:
		a.stated = a.stated || d.stated
		a.untold = a.untold || d.mixed
	}
}

func (a *agreement) result(p *profile) typed {
	if a.differ || a.name == "" && !a.untold {
		return typed{}
	}
	if a.name == "" {
		return typed{call: a.call}
	}
	t := a.typed
	t.mixed = a.untold && (a.declares || !t.stated || p.setsAnyType && p.family != symbols.JavaScript)
	return t
}

// declaresVariable reports whether the name at an offset declares a variable of its own rather than assigns one.
func declaresVariable(r *Reader, at int) bool {
	if r.src.Lang == symbols.Go {
		return true
	}
	switch r.wordBefore(at) {
	case "const", "let", "var", "val", "auto", "final", "mut":
		return true
	}
	return false
}

// undeclared is a closure parameter of unknown type, which need not be the type of an outer variable of the same name.
var undeclared = typed{stated: true}

// setsUntold reports whether the declaration of the name from at to end, which has no known type, sets it to a value
// that has one: None does not, and neither does a named argument.
func setsUntold(r *Reader, at, end int) bool {
	if isArgument(r, at) {
		return false
	}
	behind := bytes.TrimLeft(r.code[end:], " \t:")
	value, ok := bytes.CutPrefix(behind, []byte("="))
	if !ok {
		return true
	}
	value = bytes.TrimLeft(value, " \t\r\n")
	switch word := string(leadingWord(value)); word {
	case "None", "null", "nil", "undefined", "NULL", "nullptr", "true", "false", "True", "False":
		return false
	case "":
		return len(value) > 0 && strings.IndexByte("\"'`", value[0]) < 0
	default:
		return word[0] < '0' || word[0] > '9'
	}
}

// markStated marks a type as stated by its declaration.
func markStated(t typed) typed {
	t.stated = t.name != ""
	return t
}

func (r *Reader) wordAt(i int) string {
	for i < len(r.code) && (r.code[i] == '*' || r.code[i] == '&') {
		i++
	}
	j := i
	for j < len(r.code) && wordByte(r.code[j]) {
		j++
	}
	return string(r.code[i:j])
}

// wrappers lists types with the methods of the value that they hold.
var wrappers = map[string]bool{"Arc": true, "Rc": true, "Box": true, "Pin": true, "MutexGuard": true, "unique_ptr": true, "shared_ptr": true}

// readType reads the type at an offset: &mut pkg.T, Arc<T>, *T. Lists and maps have no name.
func (r *Reader) readType(i int) typed {
	pointer := false
	for n := 0; n < 16 && i < len(r.code); n++ {
		switch c := r.code[i]; {
		case c == ' ', c == '*', c == '&', c == '\t':
			pointer = pointer || c == '*'
			i++
			continue
		case c == '\'':
			for i++; i < len(r.code) && wordByte(r.code[i]); i++ {
			}
			continue
		case !wordByte(c):
			return typed{}
		}
		j := i
		for j < len(r.code) && wordByte(r.code[j]) {
			j++
		}
		word := string(r.code[i:j])
		switch word {
		case "mut", "dyn", "impl", "const", "final", "readonly", "inout", "some", "any", "struct", "typeof":
			i = j
			continue
		}
		qualifier := ""
		for j < len(r.code)-2 && (r.code[j] == '.' && wordByte(r.code[j+1]) || r.code[j] == ':' && r.code[j+1] == ':' && wordByte(r.code[j+2])) {
			k := j + 1
			if r.code[j] == ':' {
				k++
			}
			j = k
			for j < len(r.code) && wordByte(r.code[j]) {
				j++
			}
			if qualifier != "" && r.src.Lang == symbols.Rust {
				word = qualifier + "::" + word // the whole path
			}
			qualifier, word = word, string(r.code[k:j])
		}
		if wrappers[word] && j < len(r.code) && r.code[j] == '<' {
			i = j + 1
			continue
		}
		if anyType(word) || isList(r, j) || isUnion(r, j) {
			return typed{}
		}
		return typed{name: word, qualifier: qualifier, pointer: pointer}
	}
	return typed{}
}

// nothing matches the rest of a union that only adds the absence of a value.
var nothing = regexp.MustCompile(`^\|\s*(undefined|null|None)\b\s*[^|\s]`)

// isList reports whether brackets after a type make it a list.
func isList(r *Reader, at int) bool {
	return byteAt(r.code, at) == '[' && !r.profile.indexedGenerics
}

// isUnion reports whether the type that ends at an offset is part of a union or an intersection.
func isUnion(r *Reader, at int) bool {
	if !r.profile.unionTypes {
		return false
	}
	rest := bytes.TrimLeft(r.code[at:min(len(r.code), at+maxBlockLine)], " \t\r\n")
	switch byteAt(rest, 0) {
	case '&':
		return r.family == symbols.JavaScript && byteAt(rest, 1) != '&'
	case '|':
		return byteAt(rest, 1) != '|' && !nothing.Match(rest)
	}
	return false
}

// anyType reports whether a type name leaves the type of a value open.
func anyType(s string) bool {
	switch s {
	case "Object", "any", "Any", "object", "unknown", "mixed", "dynamic", "T", "K", "V", "E", "interface", "id", "AnyObject", "Class", "Option", "Optional", "Union", "type",
		"Result", "Promise", "Vec", "func", "map", "chan", "None", "True", "False", "List", "Dict", "Callable", "Iterable", "Type":
		return true
	}
	return false
}
