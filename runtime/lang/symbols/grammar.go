package symbols

import "strings"

// grammar describes how definitions begin in a language. It serves languages in which specific words, or an assignment,
// begin every definition; the others have a type with code.
type grammar struct {
	lexical  rules
	forms    []form
	braces   bool     // bodies are in braces; otherwise they are indented, and "end" may close them
	units    bool     // a container without a body lasts until the next one
	clauses  bool     // lines in the first column that begin with the same name are one definition
	folded   bool     // words ignore case
	joins    string   // bytes that may occur within a name
	splits   bool     // the last of these bytes separates a container from a name
	public   string   // the word that makes a definition public; all others are private
	hides    []string // words that make a definition private if they begin it
	reserved []string // words that are not names
	docs     []string // words after an at sign whose string documents the next definition
}

// form is one way to begin a definition.
type form struct {
	kind   Kind   // "" if it only names a container
	in     string // the container of its definition, if the language has a word for it
	opens  bool   // it is the container of the definitions in its body
	first  bool   // it must be in the first column
	member bool   // it must be in a container
	steps  []step
}

// step is one position of a form.
type step struct {
	what     stepKind
	options  []string // words or operators
	optional bool
}

type stepKind uint8

const (
	stepOption  stepKind = iota // one of the options
	stepName                    // the name of the definition
	stepString                  // a string: the name if it is the last one of the form, else its container
	stepBracket                 // square brackets with their contents
	stepRest                    // any tokens of the line
)

// newForms parses forms. Each consists of a kind and its steps: NAME, STRING, [] for square brackets, … for any tokens
// of the line, words or operators with "|" between alternatives, "?" after an optional step. After the kind, "+" means
// that the body is a container, "^" that the form must be in the first column, "." that it must be in a container, "@"
// gives the name of its container.
func newForms(lines ...string) (out []form) {
	for _, line := range lines {
		words := strings.Fields(line)
		kind, in, _ := strings.Cut(words[0], "@")
		f := form{kind: Kind(strings.TrimRight(kind, "+^.-")), in: in}
		f.opens, f.first, f.member = strings.Contains(words[0], "+"), strings.Contains(words[0], "^"), strings.Contains(words[0], ".")
		for _, w := range words[1:] {
			var s step
			if len(w) > 2 || w == "@?" {
				w, s.optional = strings.CutSuffix(w, "?")
			}
			switch w {
			case "NAME":
				s.what = stepName
			case "STRING":
				s.what = stepString
			case "[]":
				s.what = stepBracket
			case "…":
				s.what = stepRest
			default:
				s.options = strings.Split(w, "|")
			}
			f.steps = append(f.steps, s)
		}
		out = append(out, f)
	}
	return out
}

// grammars maps the languages that are read by a grammar.
var grammars = map[Lang]*grammar{
	Lua: {
		lexical: rules{dash: true, dquote: quoteLine, squote: quoteLine, special: luaSpecial},
		joins:   ".:", splits: true, hides: strings.Fields("local"),
		forms: newForms(
			"function local? function NAME",
			"function local? NAME = function",
			"variable^ local? NAME =|<",
		),
	},
	Elixir: {
		lexical: rules{hash: true, triple: true, triple1: true, dquote: quoteHash, squote: quoteHash, special: elixirSpecial},
		joins:   ".", splits: true, hides: strings.Fields("defp defmacrop defguardp defnp"), docs: strings.Fields("doc typedoc moduledoc"),
		reserved: strings.Fields("spec impl behaviour derive dialyzer compile tag moduletag describetag on_load before_compile after_compile vsn deprecated since external_resource"),
		forms: newForms(
			"module+ defmodule|defprotocol NAME",
			"-+ defimpl NAME",
			"function def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defn|defnp NAME",
			"type @ type|typep|opaque NAME",
			"prototype @ callback|macrocallback NAME",
			"constant @ NAME",
		),
	},
	PowerShell: {
		lexical: rules{hash: true, squote: quoteDoubled, special: powershellSpecial},
		braces:  true, folded: true, joins: "-:", hides: strings.Fields("hidden"), reserved: strings.Fields("if elseif else while for foreach switch do try catch finally"),
		forms: newForms(
			"function function|filter|workflow NAME",
			"class+ class NAME",
			"enum enum NAME",
			"method. hidden? static? []? NAME (",
			"field. hidden? static? []? NAME",
			"variable^ NAME =",
		),
	},
	HCL: {
		lexical: rules{slash: true, hash: true, dquote: quoteDollar, special: hclSpecial},
		braces:  true, joins: "-",
		forms: newForms(
			"struct resource|data STRING STRING",
			"module@module module STRING",
			"variable@var variable STRING",
			"variable@output output STRING",
			"-+@local locals {",
			"variable^ NAME =",
			"variable. NAME =",
		),
	},
	Make: {
		lexical: rules{hash: true, dquote: quoteLine, squote: quoteLine},
		joins:   "-./%+", reserved: strings.Fields("ifeq ifneq ifdef ifndef else endif include"),
		forms: newForms(
			"variable^ export|override? NAME =|:=|?=|+=",
			"variable^ export|override? NAME :: =",
			"variable^ define NAME",
			"function^ NAME :|::",
		),
	},
	Dockerfile: {
		lexical: rules{hash: true, dquote: quoteLine, squote: quoteLine},
		units:   true, folded: true, joins: "-./",
		forms: newForms(
			"module+^ FROM … AS NAME",
			"module+^ FROM NAME",
			"variable^ ARG|ENV NAME",
		),
	},
	Haskell: {
		lexical: rules{dash: true, dquote: quoteLine, squote: quoteChar, bquote: quoteName, special: haskellSpecial},
		clauses: true, reserved: strings.Fields("module import infixl infixr infix instance deriving default foreign where data newtype class type"),
		forms: newForms(
			"struct^ data|newtype family|instance? … => NAME",
			"struct^ data|newtype family|instance? NAME",
			"interface+^ class … => NAME",
			"interface+^ class NAME",
			"type^ type family|instance? NAME",
			"function^ NAME ::",
			"function^ NAME … =",
			"function. NAME ::",
		),
	},
	Zig: {
		lexical: rules{slash: true, dquote: quoteLine, squote: quoteChar, special: zigSpecial},
		braces:  true, public: "pub",
		forms: newForms(
			"function pub? export|extern|inline|noinline? STRING? fn NAME",
			"function test STRING",
			"type pub? const NAME = error",
			"struct+ pub? const NAME = extern|packed? struct|union|opaque",
			"enum+ pub? const NAME = enum",
			"constant pub? export|extern|threadlocal? const NAME",
			"variable pub? export|extern|threadlocal? var NAME",
			"field. NAME :",
		),
	},
	R: {
		lexical: rules{hash: true, dquote: quoteMulti, squote: quoteMulti, bquote: quoteName},
		braces:  true, joins: ".",
		forms: newForms(
			"function NAME < - function",
			"function^ NAME = function",
			"class NAME < - R6Class|setRefClass|setClass",
			"variable^ NAME < -",
			"variable^ NAME =",
		),
	},
	Perl: {
		lexical: rules{hash: true, dquote: quoteMulti, squote: quoteMulti, bquote: quoteMulti, special: perlSpecial},
		braces:  true, units: true, joins: ":", splits: true,
		forms: newForms(
			"function sub|method|fun NAME",
			"module+ package|class NAME",
			"constant use constant NAME =>",
			"variable^ our|my @|%? NAME =",
			"field has NAME =>",
			"field has STRING =>",
		),
	},
}
