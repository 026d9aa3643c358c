package config

import (
	"regexp"

	"cuelang.org/go/cue"
)

// form is the kind of value a shape asks for.
type form uint8

const (
	anyForm form = iota
	structForm
	listForm
	stringForm
	integerForm
	numberForm
	boolForm
	typeForm  // a CUE type: what a tool takes or gives
	valueForm // an expression, or a literal of any kind
	durationForm
	sizeForm
	eitherForm // a scalar, or a struct that says more
)

var formNames = map[form]string{
	anyForm: "value", structForm: "struct", listForm: "list", stringForm: "string", integerForm: "integer",
	numberForm: "number", boolForm: "boolean", typeForm: "type", valueForm: "value", durationForm: "duration", sizeForm: "size", eitherForm: "struct",
}

// shape is a CUE definition read into Go: what a value may be. The check of a
// configuration walks shapes instead of unifying with the definitions,
// because CUE hides sibling mistakes behind one another, names no candidates
// and points into the schema; what is allowed still stands in CUE alone.
type shape struct {
	at       cue.Value // of a type for clients: where it stands, for problems found later
	path     []string
	form     form
	name     string // of the definition, such as #Role
	doc      string
	fields   []shapeField
	rest     *shape // of a struct: what further fields hold; nil refuses them
	key      *shape // of a struct: what further fields are called
	items    *shape // of a list
	short    *shape // of either: what is written in place of a struct
	enum     []any
	preset   *node // the default; nil for none
	min, max *bound
	minLen   *int
	maxLen   *int
	pattern  *regexp.Regexp
	nullable bool
}

type shapeField struct {
	name     string
	required bool
	optional bool
	shape    *shape
}

// bound is one end of a range of numbers.
type bound struct {
	value float64
	open  bool // the value itself is outside
}

func (s *shape) field(name string) *shape {
	if known := s.known(name); known != nil || s == nil {
		return known
	}
	return s.rest
}

// part is field, where a literal consists of literals.
func (s *shape) part(name string) *shape {
	if s.form == valueForm {
		return s
	}
	return s.field(name)
}

// known is the shape of a field that the definition names.
func (s *shape) known(name string) *shape {
	if s == nil {
		return nil
	}
	for _, f := range s.fields {
		if f.name == name {
			return f.shape
		}
	}
	return nil
}

func (s *shape) names() []string {
	var names []string
	for _, f := range s.fields {
		names = append(names, f.name)
	}
	return names
}

// special forms are known by the name of their definition.
var specialForms = map[string]form{
	"#Duration": durationForm, "#Size": sizeForm, "#Type": typeForm, "#Value": valueForm,
}
