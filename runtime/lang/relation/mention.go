package relation

import "github.com/compactor-mcp/compactor/runtime/lang/symbols"

// Form is what is done with a name.
type Form uint8

// The forms of a mention.
const (
	Other Form = iota // named, as a type in a declaration is
	Call              // called
	Value             // handed on, as a callback is
)

// Base is what stands before a name.
type Base uint8

// The bases of a mention.
const (
	Bare    Base = iota // nothing
	Self                // this, self, or a type's own name for it
	Super               // the class above
	Module              // an imported module or package
	Type                // a type, or a value of that type
	Unknown             // an expression whose type the file does not show
	Foreign             // something that is no part of the tree for certain
)

// Import is where a file has a name from.
type Import struct {
	Spec   string // module as it is written
	Member string // what is taken from it, "" for the module itself
}

// Mention is one place that names something, and what the file tells of it.
type Mention struct {
	Path     string
	Line     int
	Lang     symbols.Lang
	Form     Form
	Base     Base
	Owner    string   // name of the type for Type
	Args     int      // of a call, -1 where they cannot be counted
	Labels   []string // of the arguments in Swift, _ for none
	Field    bool     // taken from a value without a call, where only a field can be
	Arg      bool     // for Value: handed to a call
	Recv     string   // for Unknown: the variable or field before it
	Guess    bool     // for Type: by the name of what holds a value
	Mixed    bool     // for Type: the value may be of another type as well
	Element  bool     // an element of markup
	Trailing bool     // a function follows the brackets of a call
	Crowded  bool     // it shares its line with definitions that it may stand in
	Static   bool     // for Type: the type itself, no value of it
	Pointer  bool     // for Type: a pointer to it, which is no interface
	TypePath string   // for Type: the file that names the type, where it is another
	From     Import   // of the name for Bare, of the module for Module, of the type for Type
	Stars    []string // for Bare: modules all of whose names are imported
	Script   bool     // a script that imports and exports nothing
	Around   []string // types around it, innermost first
	Result   *Called  // for Unknown: the call whose result stands before it
	In       string   // title of the definition around it
	InLine   int      // where that is
}

// Called is a call whose result has something called on it.
type Called struct {
	Name string
	Mention
}

// Receiver returns the call whose result has the name called on it, nil where there is none.
func (m *Mention) Receiver() *Mention {
	if m.Result == nil {
		return nil
	}
	return &m.Result.Mention
}

// Def is one definition of a name in the tree.
type Def struct {
	symbols.Def
	Path string
	Lang symbols.Lang
	// Package is what other files import it by, where that is known: a Go import path.
	Package string
	Test    bool
	own     string // what owner found
}

// Heads are the types that a type is declared to extend, by its name, and the marks below.
type Heads map[string][]string

// What Heads may have beside the names of types.
const (
	unnamed  = "?"         // something above that the type does not name
	contract = "interface" // the type is one that others implement
)

// IsTypeName reports whether an entry of Heads is the name of a type.
func IsTypeName(above string) bool { return above != unnamed && above != contract }
