package relation

import "github.com/compactor-mcp/compactor/runtime/lang/symbols"

// profile holds the rules of a language that the readers and the verdicts depend on: booleans for those that are true
// or false of any language, functions for the syntax of its own. The zero value serves languages without calls.
type profile struct {
	// family stands for all languages that can call each other; "" if there are no others.
	family symbols.Lang

	// Names and scopes.
	scope            scope
	impliesThis      bool // a method is called by its bare name inside its own class
	hasOverloads     bool // several functions of one type may have the same name
	hasNamespaces    bool // the qualifier of a function may be its namespace
	nestsTypes       bool // a nested type is named after its enclosing type: Outer.Inner
	modulesLikeTypes bool // a module calls its own functions by their bare names, as a class its methods
	mixins           bool // supertypes may be mixed in, and then go before a superclass
	looseModules     bool // functions of a file are called with a qualifier that the caller chooses
	packageDirs      bool // the files of a directory are one package
	importsTypes     bool // the import of a type tells which file it is in
	localFunctions   bool // a function inside another is local to it
	aliasVariables   bool // local add = cart.add only names something of another file
	blockScope       bool // a variable is in scope only in the block that declares it
	staticPaths      bool // a path before a name is a type or a module

	// Types.
	silentInterfaces bool // a type may satisfy an interface without naming it
	listsHeads       bool // types declare their supertypes in their definition
	resultTypes      bool // functions declare their result types
	typesFirst       bool // a declaration names the type before the variable
	setsAnyType      bool // a variable may be set to values of different types
	unionTypes       bool // A | B
	indexedGenerics  bool // brackets after a type do not make it a list

	// Syntax.
	callsBare        bool // a call needs no parentheses
	callsTypes       bool // calling a type by its bare name creates a value of it
	passesMethods    bool // a method is passed on by its bare name
	quotesNames      bool // a name in backticks may contain any characters
	markedNames      bool // ? and ! may end a name
	arrowMembers     bool // -> separates a member from its value; elsewhere it precedes a result type
	decorators       bool // @name calls
	trailingBlocks   bool // name { calls
	blockInitializer bool // a block after a new value does not change its type
	namedArguments   bool // name = value or name: value among arguments passes a value
	severalTargets   bool // a, b = … sets several variables
	bareConditions   bool // conditions need no parentheses, so that { ends a value
	elements         bool // <Name> uses a component

	// importWords begin an import or another statement whose names are not uses.
	importWords []string
	// superWord names the supertype of the enclosing type; "" if no word does.
	superWord string
	// separators stand between a name and its qualifier, besides . ?. and ::.
	separators string
	// fieldMarks precede a name that can only be a field if it is not called.
	fieldMarks []string
	// builtins are final classes of the language, whose names no project reuses.
	builtins map[string]bool
	// keepsType lists methods that return their receiver, or the value that it wraps.
	keepsType map[string]bool

	// isType reports whether qualifiers end in a type, or in a module that contains members like one.
	isType func(quals []string) bool
	// heads returns the supertypes in the signature of a type, given from the end of its name on.
	heads func(rest string) []string
	// readImport reads an import statement. In code, strings and comments are blank; in raw they are not.
	readImport func(r importReader, code, raw []byte)
	// moduleIs reports whether a module that the file from imports is the one of a definition: Maybe if it may
	// re-export it.
	moduleIs func(spec, from string, d *Def) Verdict
	// isForeign reports whether an imported module is certainly from outside the project of a definition.
	isForeign func(spec, from string, d *Def) bool
	// placeImported fills in a usage whose first qualifier, name, is imported and followed by the rest.
	placeImported func(m *Usage, imp Import, name string, rest []string)
	// readName reads how a name is used. found is false where the rules for all languages apply.
	readName func(r wordReader, w word) (form Form, ok, found bool)
	// readCommand reads how the word from at to end is used in a language of commands.
	readCommand func(r *Reader, at, end int) (Form, bool)
	// readDeclaration reads the type of the name from at to end if it is declared there; next is where the text after it
	// begins. If nil, the type or the value follows the name.
	readDeclaration func(r *Reader, at, end, next int) (typed, bool)
	// readResult reads the result type of a function whose parameters end before the text at an offset.
	readResult func(r *Reader, at int) typed
	// readMade returns the type of the value that the name t with the qualifier owner creates. It looks into at most
	// wraps wrappers.
	readMade func(r *Reader, t, owner typed, p namePath, wraps int) typed
	// isClosureParameter reports whether a name between two parts of a line is a closure parameter without a type.
	isClosureParameter func(before, behind []byte) bool
	// hides reports whether the name from at to end of a line is a variable that hides an outer name below the line.
	// opens tells that the line opens a block around the use.
	hides func(line []byte, at, end int, opens bool) bool
}

// scope tells where a bare name can come from that is neither imported nor defined in its file.
type scope uint8

const (
	anywhere    scope = iota // any file
	ownPackage               // files in the same directory
	fromImports              // modules all of whose names are imported
	fromScripts              // another script, if neither imports or exports anything
)

// noRules is the profile of languages that are not in profiles.
var noRules profile

// profileOf returns the profile of a language.
func profileOf(l symbols.Lang) *profile {
	if p := profiles[l]; p != nil {
		return p
	}
	return &noRules
}

// family returns one language to represent all those that can call and be called by l.
func family(l symbols.Lang) symbols.Lang {
	if p := profileOf(l); p.family != "" {
		return p.family
	}
	return l
}

// SameFamily reports whether code of one language may call code of the other by name.
func SameFamily(a, b symbols.Lang) bool { return a != "" && family(a) == family(b) }

// HasHeads reports whether the types of a language declare their supertypes in their definition.
func HasHeads(l symbols.Lang) bool { return profileOf(l).listsHeads }

// TellsResults reports whether the functions of a language declare their result types.
func TellsResults(l symbols.Lang) bool { return profileOf(l).resultTypes }

// IsBuiltin reports whether name is a class of the language itself that cannot be extended, and whose name no project
// reuses.
func IsBuiltin(l symbols.Lang, name string) bool { return profileOf(l).builtins[name] }
