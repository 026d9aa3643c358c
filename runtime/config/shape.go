package config

import "cuelang.org/go/cue"

// form is the kind of value that a shape wants.
type form uint8

const (
	anyForm form = iota
	structForm
	listForm
	stringForm
	integerForm
	numberForm
	boolForm
	typeForm  // a CUE type: the input or output of a tool
	valueForm // an expression, or a literal of any kind
	durationForm
	sizeForm
	eitherForm // a scalar, or a struct with more detail
)

var formNames = map[form]string{
	anyForm: "value", structForm: "struct", listForm: "list", stringForm: "string", integerForm: "integer",
	numberForm: "number", boolForm: "boolean", typeForm: "type", valueForm: "value", durationForm: "duration", sizeForm: "size", eitherForm: "struct",
}

// shape is a CUE definition read into Go: what a value may be. The check of a
// configuration walks shapes instead of unifying with the definitions, because CUE hides
// sibling mistakes behind one another, names no candidates and points into the schema;
// what is allowed is still defined in CUE alone.
type shape struct {
	_        struct{}  `cbor:",toarray"` // in evaluated.cbor
	At       cue.Value `cbor:"-"`        // of a type for clients: its location, for problems found later
	Path     []string  `cbor:"-"`
	Form     form
	Name     string // of the definition, such as #Role
	Doc      string
	Fields   []shapeField
	Rest     *shape // of a struct: type of further fields; nil rejects them
	Key      *shape // of a struct: names of further fields
	Items    *shape // of a list
	Short    *shape // of either: the scalar form written in place of a struct
	Enum     []any
	Preset   *node // the default; nil for none
	Min, Max *bound
	MinLen   *int
	MaxLen   *int
	Pattern  string // a regular expression; "" for none
	Nullable bool
}

type shapeField struct {
	_        struct{} `cbor:",toarray"`
	Name     string
	Required bool
	Optional bool
	Shape    *shape
}

// bound is one end of a range of numbers.
type bound struct {
	_     struct{} `cbor:",toarray"`
	Value float64
	Open  bool // the value itself is outside
}

func (s *shape) field(name string) *shape {
	if known := s.knownField(name); known != nil || s == nil {
		return known
	}
	return s.Rest
}

// partShape returns the shape of a field; the parts of a literal are literals.
func (s *shape) partShape(name string) *shape {
	if s.Form == valueForm {
		return s
	}
	return s.field(name)
}

// knownField returns the shape of a field that the definition names.
func (s *shape) knownField(name string) *shape {
	if s == nil {
		return nil
	}
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Shape
		}
	}
	return nil
}

func (s *shape) names() []string {
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	return names
}

// specialForms are recognized by the names of their definitions.
var specialForms = map[string]form{
	"#Duration": durationForm, "#Size": sizeForm, "#Type": typeForm, "#Value": valueForm,
}
