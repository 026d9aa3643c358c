package config

import (
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/token"
)

// deepest limits the nesting of a type. No tool input needs more, and a type that
// contains itself has no end.
const deepest = 12

// schemaBuilder reads CUE types. Parts that have no shape are collected rather than rejected, so
// that one run shows all of them.
type schemaBuilder struct {
	problems []shapeProblem
	mixed    bool     // accepts a scalar in place of a struct, which no client's schema supports
	path     []string // of fields, from the requested type
	depth    int
	followed []followed // references that led to the current value
}

// followed is the target of a reference. Those of different packages may have the same path.
type followed struct {
	at   token.Pos
	path string
}

// maxFollowed limits the references from one to the next that lead to a type.
const maxFollowed = 100

// shapeProblem is a part of a type that cannot be expressed.
type shapeProblem struct {
	at   cue.Value
	path []string
	text string
}

func (b *schemaBuilder) addProblem(v cue.Value, text string) {
	b.problems = append(b.problems, shapeProblem{v, slices.Clone(b.path), text})
}

// readShape reads one type with its default and its docs.
func (b *schemaBuilder) readShape(v cue.Value) *shape {
	if b.depth++; b.depth > deepest {
		b.depth--
		b.addProblem(v, "is nested too deeply, or contains itself")
		return &shape{}
	}
	defer func() { b.depth-- }()
	s := &shape{}
	name := referredName(v)
	b.constrain(s, v)
	s.Path, s.Name, s.Doc = slices.Clone(b.path), name, docOf(v)
	if !b.mixed { // the shape of the configuration outlives its context
		s.At = v
	}
	if preset, ok := v.Default(); ok && isPreset(v) {
		s.Preset = presetNode(preset)
	}
	return s
}

// isPreset distinguishes a written default from the one that CUE gives every open list
// and every struct: itself.
func isPreset(v cue.Value) bool { return v.Kind() == cue.BottomKind }

// referredName returns the name of the definition that v is a plain reference to.
func referredName(v cue.Value) string {
	_, path := v.ReferencePath()
	sels := path.Selectors()
	if len(sels) == 0 {
		return ""
	}
	return sels[len(sels)-1].String()
}

func docOf(v cue.Value) string {
	for _, group := range v.Doc() {
		if text := strings.Join(strings.Fields(group.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}

// constrain adds to s the constraints in the expression of v. It follows references by name,
// because Expr evaluates the whole package again for each.
func (b *schemaBuilder) constrain(s *shape, v cue.Value) {
	if name := referredName(v); name != "" {
		b.readReference(s, v, name)
		return
	}
	op, args := v.Expr()
	switch op {
	case cue.AndOp:
		if it, err := v.Fields(cue.Optional(true)); err == nil && it.Next() { // when evaluated, both sides are one
			b.readStruct(s, v)
			return
		}
		for _, a := range args {
			b.constrain(s, a)
		}
	case cue.OrOp:
		b.readDisjunction(s, v, args)
	case cue.GreaterThanEqualOp, cue.GreaterThanOp, cue.LessThanEqualOp, cue.LessThanOp:
		b.readBound(s, v, op, args[0])
	case cue.RegexMatchOp:
		b.readRegex(s, v, args[0])
	case cue.NotEqualOp:
		b.notEqual(s, v, args[0])
	case cue.CallOp:
		b.readCall(s, v, args)
	case cue.NotRegexMatchOp:
		b.addProblem(v, "uses !~, which JSON Schema does not have")
	default:
		b.readPlain(s, v, args)
	}
}

// readReference continues with the target of v, which refers to name. If that leads no further,
// it uses v's evaluated form.
func (b *schemaBuilder) readReference(s *shape, v cue.Value, name string) {
	if f, ok := specialForms[name]; ok {
		s.Form = f
		return
	}
	target := cue.Dereference(v)
	if !target.Exists() || referredName(target) == name {
		b.readPlain(s, v, nil)
		return
	}
	next := followed{target.Pos(), target.Path().String()}
	switch {
	case slices.Contains(b.followed, next):
		b.addProblem(v, "refers to itself")
		return
	case len(b.followed) == maxFollowed:
		b.addProblem(v, "is nested too deeply, or contains itself")
		return
	}
	b.followed = append(b.followed, next)
	b.constrain(s, target)
	b.followed = b.followed[:len(b.followed)-1]
}

// readPlain reads a basic type, a concrete value, a struct or a list. For a disjunction of a
// type and a default of that type, args has only the type.
func (b *schemaBuilder) readPlain(s *shape, v cue.Value, args []cue.Value) {
	if len(args) == 1 && v.Kind() == cue.BottomKind {
		if op, _ := args[0].Expr(); op != cue.NoOp {
			b.constrain(s, args[0])
			return
		}
		v = args[0]
	}
	switch kind := v.IncompleteKind(); kind {
	case cue.StructKind:
		b.readStruct(s, v)
	case cue.ListKind:
		b.readList(s, v)
	case cue.TopKind:
	case cue.BottomKind:
		b.addProblem(v, "has no value")
	default:
		b.readScalar(s, v, kind)
	}
}

func (b *schemaBuilder) readScalar(s *shape, v cue.Value, kind cue.Kind) {
	forms := map[cue.Kind]form{
		cue.StringKind: stringForm, cue.IntKind: integerForm, cue.BoolKind: boolForm,
		cue.FloatKind: numberForm, cue.NumberKind: numberForm,
	}
	f, ok := forms[kind]
	if !ok {
		b.addProblem(v, "is of type "+kind.String()+", which JSON does not have")
		return
	}
	if s.Form != integerForm || f != numberForm { // int & number is int
		s.Form = f
	}
	if v.IsConcrete() {
		s.Enum = append(s.Enum, scalarOf(v))
	}
}

func (b *schemaBuilder) readStruct(s *shape, v cue.Value) {
	s.Form = structForm
	it, err := v.Fields(cue.Optional(true), cue.Patterns(true))
	if err != nil {
		b.addProblem(v, "is not valid")
		return
	}
	for it.Next() {
		sel := it.Selector()
		if sel.ConstraintType() == cue.PatternConstraint {
			s.Rest = b.readShape(it.Value())
			s.Key = b.readShape(sel.Pattern())
			continue
		}
		b.path = append(b.path, sel.Unquoted())
		s.Fields = append(s.Fields, shapeField{
			Name: sel.Unquoted(), Required: sel.ConstraintType() == cue.RequiredConstraint,
			Optional: sel.ConstraintType() == cue.OptionalConstraint, Shape: b.readShape(it.Value()),
		})
		b.path = b.path[:len(b.path)-1]
	}
	if s.Rest == nil && v.LookupPath(cue.MakePath(cue.AnyString)).Exists() {
		s.Rest = &shape{}
	}
}

func (b *schemaBuilder) readList(s *shape, v cue.Value) {
	s.Form = listForm
	items := v.LookupPath(cue.MakePath(cue.AnyIndex))
	if n, err := v.Len().Int64(); err == nil && v.Kind() == cue.ListKind && n > 0 && !items.Exists() {
		b.addProblem(v, "is a list of fixed length, which has no form as a flat schema")
		return
	}
	if items.Exists() && items.IncompleteKind() != cue.TopKind {
		s.Items = b.readShape(items)
	}
}

func (b *schemaBuilder) readBound(s *shape, v cue.Value, op cue.Op, arg cue.Value) {
	n, err := arg.Float64()
	if err != nil {
		b.addProblem(v, "is bounded by what is not a number")
		return
	}
	end := &bound{Value: n, Open: op == cue.GreaterThanOp || op == cue.LessThanOp}
	if op == cue.GreaterThanEqualOp || op == cue.GreaterThanOp {
		s.Min = end
	} else {
		s.Max = end
	}
	if s.Form == anyForm {
		s.Form = numberForm
	}
}

func (b *schemaBuilder) readRegex(s *shape, v, arg cue.Value) {
	text, err := arg.String()
	_, bad := regexp.Compile(text)
	switch {
	case err != nil || bad != nil:
		b.addProblem(v, "has a pattern that is not RE2 syntax")
	case s.Pattern != "":
		b.addProblem(v, "has two patterns; JSON Schema takes one")
	default:
		s.Form, s.Pattern = stringForm, text
	}
}

func (b *schemaBuilder) notEqual(s *shape, v, arg cue.Value) {
	if text, err := arg.String(); err != nil || text != "" {
		b.addProblem(v, "uses !=, of which only != \"\" has a form as a flat schema")
		return
	}
	one := 1
	s.Form, s.MinLen = stringForm, &one
}

// readCall reads the validators that have a counterpart in JSON Schema.
func (b *schemaBuilder) readCall(s *shape, v cue.Value, args []cue.Value) {
	if len(args) == 3 || referredName(args[0]) == "matchN" { // one of several fields: checked in Go
		return
	}
	if len(args) != 2 {
		b.addProblem(v, "uses a function that has no form as a flat schema")
		return
	}
	n, err := args[1].Int64()
	count := int(n)
	switch name := referredName(args[0]); {
	case err == nil && (name == "MinRunes" || name == "MinItems"):
		s.MinLen = &count
	case err == nil && (name == "MaxRunes" || name == "MaxItems"):
		s.MaxLen = &count
	default:
		b.addProblem(v, "uses the function "+name+", which has no form as a flat schema")
		return
	}
	if s.Form == anyForm && strings.HasSuffix(referredName(args[0]), "Runes") {
		s.Form = stringForm
	}
}
