package relation

import "github.com/compactor-mcp/compactor/runtime/lang/symbols"

// Form tells how a name is used.
type Form uint8

// The forms of a mention.
const (
	Other Form = iota // named, as a type in a declaration is
	Call              // called
	Value             // passed on, as a callback is
)

// Base tells what precedes a name.
type Base uint8

// The bases of a mention.
const (
	Bare    Base = iota // nothing
	Self                // this, self, or the type's own name for it
	Super               // the superclass
	Module              // an imported module or package
	Type                // a type, or a value of that type
	Unknown             // an expression whose type the file does not show
	Foreign             // something that certainly is outside of the tree
)

// Import tells where a file imports a name from.
type Import struct {
	Spec   string // module as written
	Member string // what is imported from it, "" for the module itself
}

// Usage is one place that names something, and what the file tells about it.
type Usage struct {
	Path     string
	Line     int
	Lang     symbols.Lang
	Form     Form
	Base     Base
	Owner    string   // name of the type for Type
	Args     int      // number of arguments of a call, -1 if they cannot be counted
	Labels   []string // argument labels in Swift, _ for none
	Field    bool     // taken from a value without a call, where only a field is possible
	Arg      bool     // for Value: passed as an argument
	Recv     string   // for Unknown: the variable or field before the name
	Guess    bool     // for Type: guessed from the name of what holds the value
	Mixed    bool     // for Type: the value may also be of another type
	Element  bool     // an element of markup
	Trailing bool     // a function literal follows the brackets of a call
	Crowded  bool     // shares its line with definitions that may contain it
	Static   bool     // for Type: the type itself, not a value of it
	Pointer  bool     // for Type: a pointer to it, which is never an interface
	TypePath string   // for Type: the file that names the type, if it is another file
	From     Import   // of the name for Bare, of the module for Module, of the type for Type
	Stars    []string // for Bare: modules all of whose names are imported
	Script   bool     // in a script that imports and exports nothing
	Around   []string // enclosing types, innermost first
	Result   *Called  // for Unknown: the call before the name, whose result has the name
	In       string   // qualified name of the enclosing definition
	InLine   int      // line of that definition
}

// Called is a call on whose result something is called.
type Called struct {
	Name string
	Usage
}

// Receiver returns the call on whose result the name is called, or nil.
func (m *Usage) Receiver() *Usage {
	if m.Result == nil {
		return nil
	}
	return &m.Result.Usage
}

// Def is one definition of a name in the tree.
type Def struct {
	symbols.Def
	Path string
	Lang symbols.Lang
	// Package is what other files import it by, a Go import path, or "" if unknown.
	Package string
	Test    bool
	own     string // cached result of owner
}

// Heads maps the name of a type to the types that it is declared to extend, and to the marks below.
type Heads map[string][]string

// Entries of Heads that are not names of types.
const (
	unnamed  = "?"         // a supertype that the type does not name
	contract = "interface" // other types implement this one
)

// IsTypeName reports whether an entry of Heads is the name of a type.
func IsTypeName(above string) bool { return above != unnamed && above != contract }
