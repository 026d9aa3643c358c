package plan

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"

	"github.com/expr-lang/expr/builtin"
)

// Limits of one evaluation. The VM counts only elements of the lists and maps it makes;
// loops, copies of texts and walks over values are charged to the same account by the
// functions here, before the work is done.
const (
	maxUnits   = 1_000_000
	textUnit   = 32  // bytes copied or compared per unit
	maxDepth   = 100 // nesting of values: nothing else bounds recursion over them
	maxSource  = 8 << 10
	maxPattern = 2_000 // instructions of a regular expression
	sortFactor = 20    // comparisons per element
)

// errLimit reports an evaluation that would take more than any expression needs.
var errLimit = errors.New("takes more steps or memory than an expression may")

// errDepth reports a value nested too deeply for JSON and its readers.
var errDepth = fmt.Errorf("makes values that are nested more than %d deep", maxDepth)

// text returns the charge for a text of size bytes.
func text(size int) uint { return uint(size/textUnit) + 1 }

// shallow returns the charge for touching a value once: a text by its length, a list by its elements.
func shallow(v any) uint {
	switch v := v.(type) {
	case string:
		return text(len(v))
	case []any:
		return uint(len(v)) + 1
	case nil, bool, int, float64:
		return 1
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return uint(r.Len()) + 1
	}
	return 1
}

// deep returns the charge for walking a whole value. A list that occurs in several places counts each time.
func deep(v any) (uint, error) {
	w := weight{left: maxUnits}
	w.add(reflect.ValueOf(v), 0)
	return maxUnits - uint(w.left), w.err
}

type weight struct {
	left int
	err  error
}

func (w *weight) add(v reflect.Value, depth int) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if w.left--; v.Kind() == reflect.String {
		w.left -= v.Len() / textUnit
	}
	switch {
	case w.left < 0:
		w.left, w.err = 0, errLimit
	case depth > maxDepth:
		w.err = errDepth
	}
	if w.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k != reflect.Interface && k != reflect.String && k != reflect.Slice && k != reflect.Map {
			w.left -= v.Len()
			return
		}
		for i := 0; i < v.Len() && w.err == nil; i++ {
			w.add(v.Index(i), depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); w.err == nil && it.Next(); {
			w.add(it.Key(), depth+1)
			w.add(it.Value(), depth+1)
		}
	}
}

// charge computes the cost of a function for its arguments.
type charge func(args []any) (uint, error)

// each charges the sum over the arguments, times a factor.
func each(factor uint) charge {
	return func(args []any) (uint, error) {
		sum := uint(0)
		for _, a := range args {
			sum += shallow(a)
		}
		return sum * factor, nil
	}
}

// whole charges everything below the arguments, times a factor.
func whole(factor uint) charge {
	return func(args []any) (uint, error) {
		sum := uint(0)
		for _, a := range args {
			n, err := deep(a)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum * factor, nil
	}
}

// product charges the product of two text lengths: the first is searched for each
// character of the second.
func product(args []any) (uint, error) {
	n := uint(1)
	for _, a := range args {
		s, _ := a.(string)
		n *= uint(len(s)/8) + 1
	}
	return n, nil
}

// repeated charges the size of the resulting text.
func repeated(args []any) (uint, error) {
	s, _ := args[0].(string)
	n := integer(args[1])
	if n < 0 || n > maxUnits || n*len(s) > maxUnits*textUnit {
		return 0, errLimit
	}
	return text(n * len(s)), nil
}

// replaced charges a text in which every possible match is replaced.
func replaced(args []any) (uint, error) {
	s, _ := args[0].(string)
	old, _ := args[1].(string)
	with, _ := args[2].(string)
	places := len(s)/max(len(old), 1) + 1
	if len(args) > 3 {
		if n := integer(args[3]); n >= 0 {
			places = min(places, n)
		}
	}
	return text(len(s)) + uint(places)*text(len(with)), nil
}

// joined charges for the separators too.
func joined(args []any) (uint, error) {
	n, err := deep(args[0])
	if err == nil && len(args) > 1 {
		glue, _ := args[1].(string)
		n += shallow(args[0]) * text(len(glue))
	}
	return n, err
}

// pairs charges comparing each element with each other.
func pairs(args []any) (uint, error) {
	n, err := deep(args[0])
	return n * shallow(args[0]), err
}

func integer(v any) int {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return int(r.Int())
	case r.CanUint():
		return int(min(r.Uint(), 1<<62))
	case r.CanFloat():
		return int(min(r.Float(), 1<<62))
	}
	return 0
}

// charges are the costs of expr's builtins. Builtins not listed take the same time for
// any arguments; predicates are charged in their loops.
var charges = map[string]charge{
	"len": each(1), "int": each(1), "float": each(1), "upper": each(1), "lower": each(1), "trimPrefix": each(1), "trimSuffix": each(1),
	"indexOf": each(2), "lastIndexOf": each(2), "hasPrefix": each(1), "hasSuffix": each(1), "toBase64": each(2), "fromBase64": each(1),
	"date": each(1), "duration": each(1), "take": each(1), "keys": each(1), "values": each(1), "toPairs": each(2), "fromPairs": each(2), "reverse": each(1),
	"concat": each(1), "split": each(textUnit), "splitAfter": each(textUnit), "fromJSON": each(textUnit / 2),
	"trim": product, "repeat": repeated, "replace": replaced, "join": joined, "uniq": pairs,
	"string": whole(1), "toJSON": whole(1), "flatten": whole(1), "max": whole(1), "min": whole(1), "mean": whole(1),
	"median": whole(sortFactor), "sort": whole(sortFactor),
}

// meter is the account of one evaluation.
type meter struct{ left uint }

// take deducts a price, or fails if too little is left.
func (m *meter) take(price uint, err error) error {
	switch {
	case err != nil:
		return err
	case price > m.left:
		return errLimit
	}
	m.left -= price
	return nil
}

func call(f *builtin.Function, args []any) (any, error) {
	switch {
	case f.Safe != nil:
		v, _, err := f.Safe(args...)
		return v, err
	case f.Func != nil:
		return f.Func(args...)
	}
	return f.Fast(args[0]), nil
}

// patternSize estimates the instructions of a regular expression from its syntax, before
// anything of that size is built. It returns 0 for an expression that does not parse.
func patternSize(expr string) int {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0
	}
	return instructions(re)
}

func instructions(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<40)
}

// scanning returns the charge for matching a text against a pattern of the given size.
func scanning(text string, size int) (uint, error) {
	price := (len(text) + 1) * (size + 1) / (2 * textUnit)
	if price > maxUnits {
		return 0, errLimit
	}
	return uint(price) + 1, nil
}

// matches implements the operator for a pattern that is only known at run time.
func matches(m *meter, a, b any) (any, error) {
	if a == nil || b == nil {
		return false, nil
	}
	subject, ok := a.(string)
	pattern, also := b.(string)
	if !ok || !also {
		return nil, fmt.Errorf("matches takes texts, not %T and %T", a, b)
	}
	if len(pattern) > maxPattern {
		return nil, errLimit
	}
	size := patternSize(pattern)
	if size > maxPattern {
		return nil, errLimit
	}
	price, err := scanning(subject, size)
	if err := m.take(price+uint(4*size+len(pattern)), err); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return re.MatchString(subject), nil
}
