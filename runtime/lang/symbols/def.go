package symbols

// Kind tells what a definition is, in terms that hold across languages.
type Kind string

// The kinds of definitions. A language uses those that fit: a Kotlin object is
// a class, a Rust union a struct, a CUE definition a type.
const (
	KindFunction  Kind = "function"
	KindMethod    Kind = "method" // a function inside a class, interface, trait or impl
	KindClass     Kind = "class"
	KindInterface Kind = "interface" // also a Swift or Objective-C protocol
	KindStruct    Kind = "struct"    // also a union
	KindEnum      Kind = "enum"
	KindTrait     Kind = "trait"     // also a PHP or Scala trait
	KindType      Kind = "type"      // alias, defined type, typedef, delegate
	KindConstant  Kind = "constant"  // a name that is assigned once
	KindVariable  Kind = "variable"  // module or package level only
	KindField     Kind = "field"     // field, property or attribute of a type
	KindMember    Kind = "member"    // member of an enum
	KindMacro     Kind = "macro"     // #define with a value, macro_rules!
	KindModule    Kind = "module"    // module, namespace, package block
	KindPrototype Kind = "prototype" // a C or C++ function that is declared, not defined
	KindTable     Kind = "table"     // SQL table or view
	KindPolicy    Kind = "policy"    // SQL policy: who may read and write the rows of a table
	KindComponent Kind = "component" // a Vue, Svelte or Astro file
	KindHeading   Kind = "heading"   // a heading of a document
	KindKey       Kind = "key"       // a top-level key of a data file
)

// IsType reports whether definitions of the kind are types, which may have members and subtypes.
func (k Kind) IsType() bool {
	switch k {
	case KindClass, KindInterface, KindStruct, KindEnum, KindTrait, KindType:
		return true
	}
	return false
}

// IsCallable reports whether definitions of the kind can be called.
func (k Kind) IsCallable() bool {
	return k == KindFunction || k == KindMethod || k == KindMacro || k == KindPrototype
}

// Def is one definition. All strings are valid UTF-8 without line breaks.
type Def struct {
	Name string
	Kind Kind
	// Container is the class, receiver, impl, namespace or enclosing function,
	// outermost first, joined by the language's own separator (Lang.Separator);
	// for a heading, the parent headings joined by " > ". Empty at top level.
	Container string
	// Line is the 1-based line of the name, EndLine the last line of the block; EndLine >= Line.
	Line, EndLine int
	// Signature is the header of the definition on one line, without annotations and decorators, whitespace collapsed, cut
	// at 160 bytes.
	Signature string
	// Doc is the first sentence of the doc comment, at most 200 bytes.
	Doc string
	// Exported reports whether other files or packages may use the name, as far as the file alone shows.
	Exported bool
}

// SpanKind tells what a part of a file is.
type SpanKind uint8

// The kinds of spans that Split reports.
const (
	SpanCode    SpanKind = iota
	SpanComment          // comments, Python docstrings, the prose of documents
	SpanString           // string literals, heredocs, JSX text
)

// String returns "code", "comment" or "string".
func (k SpanKind) String() string {
	switch k {
	case SpanComment:
		return "comment"
	case SpanString:
		return "string"
	default:
		return "code"
	}
}
