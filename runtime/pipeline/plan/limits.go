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

// textCharge returns the charge for a text of size bytes.
func textCharge(size int) uint { return uint(size/textUnit) + 1 }

// shallowCharge returns the charge for touching a value once: a text by its length, a list by its elements.
func shallowCharge(v any) uint {
	switch v := v.(type) {
	case string:
		return textCharge(len(v))
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

// deepCharge returns the charge for walking a whole value. A list that occurs in several places counts each time.
func deepCharge(v any) (uint, error) {
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

// chargeEach charges the sum over the arguments, times a factor.
func chargeEach(factor uint) charge {
	return func(args []any) (uint, error) {
		sum := uint(0)
		for _, a := range args {
			sum += shallowCharge(a)
		}
		return sum * factor, nil
	}
}

// chargeWhole charges everything below the arguments, times a factor.
func chargeWhole(factor uint) charge {
	return func(args []any) (uint, error) {
		sum := uint(0)
		for _, a := range args {
			n, err := deepCharge(a)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum * factor, nil
	}
}

// chargeProduct charges the product of two text lengths: the first is searched for each
// character of the second.
func chargeProduct(args []any) (uint, error) {
	n := uint(1)
	for _, a := range args {
		s, _ := a.(string)
		n *= uint(len(s)/8) + 1
	}
	return n, nil
}

// chargeRepeat charges the size of the resulting text.
func chargeRepeat(args []any) (uint, error) {
	s, _ := args[0].(string)
	n := toInt(args[1])
	if n < 0 || n > maxUnits || n*len(s) > maxUnits*textUnit {
		return 0, errLimit
	}
	return textCharge(n * len(s)), nil
}

// chargeReplace charges a text in which every possible match is replaced.
func chargeReplace(args []any) (uint, error) {
	s, _ := args[0].(string)
	old, _ := args[1].(string)
	with, _ := args[2].(string)
	places := len(s)/max(len(old), 1) + 1
	if len(args) > 3 {
		if n := toInt(args[3]); n >= 0 {
			places = min(places, n)
		}
	}
	return textCharge(len(s)) + uint(places)*textCharge(len(with)), nil
}

// chargeJoin charges for the separators too.
func chargeJoin(args []any) (uint, error) {
	n, err := deepCharge(args[0])
	if err == nil && len(args) > 1 {
		glue, _ := args[1].(string)
		n += shallowCharge(args[0]) * textCharge(len(glue))
	}
	return n, err
}

// chargePairs charges comparing each element with each other.
func chargePairs(args []any) (uint, error) {
	n, err := deepCharge(args[0])
	return n * shallowCharge(args[0]), err
}

func toInt(v any) int {
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
	"len": chargeEach(1), "int": chargeEach(1), "float": chargeEach(1), "upper": chargeEach(1), "lower": chargeEach(1), "trimPrefix": chargeEach(1), "trimSuffix": chargeEach(1),
	"indexOf": chargeEach(2), "lastIndexOf": chargeEach(2), "hasPrefix": chargeEach(1), "hasSuffix": chargeEach(1), "toBase64": chargeEach(2), "fromBase64": chargeEach(1),
	"date": chargeEach(1), "duration": chargeEach(1), "take": chargeEach(1), "keys": chargeEach(1), "values": chargeEach(1), "toPairs": chargeEach(2), "fromPairs": chargeEach(2), "reverse": chargeEach(1),
	"concat": chargeEach(1), "split": chargeEach(textUnit), "splitAfter": chargeEach(textUnit), "fromJSON": chargeEach(textUnit / 2),
	"trim": chargeProduct, "repeat": chargeRepeat, "replace": chargeReplace, "join": chargeJoin, "uniq": chargePairs,
	"string": chargeWhole(1), "toJSON": chargeWhole(1), "flatten": chargeWhole(1), "max": chargeWhole(1), "min": chargeWhole(1), "mean": chargeWhole(1),
	"median": chargeWhole(sortFactor), "sort": chargeWhole(sortFactor),
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
	return countInstructions(re)
}

func countInstructions(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += countInstructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<40)
}

// scanCharge returns the charge for matching a text against a pattern of the given size.
func scanCharge(text string, size int) (uint, error) {
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
	price, err := scanCharge(subject, size)
	if err := m.take(price+uint(4*size+len(pattern)), err); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return re.MatchString(subject), nil
}
