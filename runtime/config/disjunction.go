package config

import (
	"slices"

	"cuelang.org/go/cue"
)

// readDisjunction reads the alternatives that a flat schema can express: several values of
// one type, one type with a default, and one type or null.
func (b *schemaBuilder) readDisjunction(s *shape, v cue.Value, args []cue.Value) {
	var types, values []cue.Value
	for _, a := range args {
		switch {
		case a.IsNull():
			s.Nullable = true
		case isScalar(a):
			values = append(values, a)
		default:
			types = append(types, a)
		}
	}
	types = withoutPreset(v, types)
	if b.mixed && b.readEither(s, types, values) {
		return
	}
	switch {
	case len(types) == 0 && sameKind(values):
		for _, a := range values {
			b.readPlain(s, a, nil)
		}
	case len(types) == 1 && (len(values) == 0 || includes(types[0], values)):
		b.constrain(s, types[0])
	case v.IncompleteKind() == cue.NumberKind:
		s.Form = numberForm
	default:
		b.addProblem(v, "is one of several types, which small models and some clients cannot follow; choose one")
	}
}

// readEither reads a struct that may also be written as a scalar.
func (b *schemaBuilder) readEither(s *shape, types, values []cue.Value) bool {
	at := slices.IndexFunc(types, func(t cue.Value) bool { return t.IncompleteKind() == cue.StructKind })
	if at < 0 || len(types)+len(values) < 2 {
		return false
	}
	short := &shape{}
	for i, t := range types {
		switch {
		case i == at:
		case t.IncompleteKind()&(cue.StructKind|cue.ListKind) != 0:
			return false
		default:
			b.constrain(short, t)
		}
	}
	for _, a := range values {
		b.readPlain(short, a, nil)
	}
	b.constrain(s, types[at])
	s.Form, s.Short = eitherForm, short
	return true
}

func isScalar(v cue.Value) bool {
	return v.IsConcrete() && v.IncompleteKind()&(cue.StructKind|cue.ListKind) == 0
}

// withoutPreset drops a struct or list that is only the default of another alternative.
func withoutPreset(v cue.Value, types []cue.Value) []cue.Value {
	preset, ok := v.Default()
	if !ok || len(types) < 2 {
		return types
	}
	var rest []cue.Value
	for _, t := range types {
		if !t.Equals(preset) {
			rest = append(rest, t)
		}
	}
	return rest
}

func sameKind(values []cue.Value) bool {
	for _, v := range values {
		if v.Kind() != values[0].Kind() {
			return false
		}
	}
	return len(values) > 0
}

// includes reports whether every value is of the type anyway, so that the type alone is equivalent.
func includes(t cue.Value, values []cue.Value) bool {
	for _, v := range values {
		if t.IncompleteKind()&v.Kind() == 0 || t.Unify(v).Err() != nil {
			return false
		}
	}
	return true
}

// scalarOf returns a concrete scalar as a Go value: string, bool, int64, float64 or nil.
func scalarOf(v cue.Value) any {
	switch v.Kind() {
	case cue.StringKind:
		s, _ := v.String()
		return s
	case cue.BoolKind:
		t, _ := v.Bool()
		return t
	case cue.IntKind:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64() // beyond int64; the range check rejects it
		return f
	case cue.FloatKind, cue.NumberKind:
		f, _ := v.Float64()
		return f
	}
	return nil
}
