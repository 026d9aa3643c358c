package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// The names that every expression can use in addition to the stages.
const (
	envInput       = "input"
	envRoots       = "roots"
	envSession     = "session"
	envCollections = "collections"
	envItem        = "item"
	envPrevious    = "previous" // outcome of the round before, of a repeated stage
	envRounds      = "rounds"   // outcomes of all rounds before
	envAll         = "$env"     // expr's own name: the environment as a map
)

var rootsSchema = &schema.Schema{Type: schema.Object, Doc: "directories by kind",
	Open: &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}}}

var collectionsSchema = &schema.Schema{Type: schema.Array, Doc: "collections of documents that the caller may search",
	Items: &schema.Schema{Type: schema.String}}

// sessionSchema describes what a pipeline knows about its client and earlier calls.
var sessionSchema = func() *schema.Schema {
	s := schema.MustFromType(reflect.TypeFor[session.View]())
	s.Doc = "the client's session"
	return s
}()

func str(doc string) *schema.Schema { return &schema.Schema{Type: schema.String, Doc: doc} }

// OutcomeSchema returns the schema of a stage as later expressions see it.
func OutcomeSchema(value *schema.Schema) *schema.Schema {
	return &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "status", Required: true, Schema: str("ok, timeout, canceled, error or skipped")},
		{Name: "ok", Required: true, Schema: &schema.Schema{Type: schema.Boolean}},
		{Name: "skipped", Required: true, Schema: str("why it did not run; empty when it did")},
		{Name: "value", Required: true, Schema: value},
		{Name: "error", Required: true, Schema: &schema.Schema{Type: schema.Object, Fields: []schema.Field{
			{Name: "code", Required: true, Schema: str("")}, {Name: "message", Required: true, Schema: str("")}}}},
		{Name: "timing", Required: true, Schema: schema.MustFromType(reflect.TypeFor[contract.Timing]())},
	}}
}

// Result is the outcome of a stage, as expressions and reports see it.
type Result struct {
	Status  string // a contract.Status, or "skipped"
	Skipped string // the reason; "" if it ran
	Value   any    // Go value of a builtin, or []Result, one per item
	Rounds  []any  // outcomes of a repeated stage's rounds, as expressions see them
	Error   *contract.Error
	Timing  contract.Timing
}

// SkippedStatus is the status of a stage that did not run.
const SkippedStatus = "skipped"

// Seen returns the form of r in an expression's environment: plain maps and lists, with a
// typed zero if there is no value.
func (r Result) Seen(value *schema.Schema) map[string]any {
	seen := map[string]any{
		"status": r.Status, "ok": r.Status == string(contract.OK), "skipped": r.Skipped,
		"error": map[string]any{"code": "", "message": ""}, "value": zero(value),
		"timing": map[string]any{"startedAt": r.Timing.StartedAt, "elapsedMs": r.Timing.ElapsedMs},
	}
	if r.Error != nil {
		seen["error"] = map[string]any{"code": r.Error.Code, "message": r.Error.Message}
	}
	if r.Value != nil {
		if v, err := Plain(r.Value, value); err == nil {
			seen["value"] = v
		}
	}
	return seen
}

// Plain converts a Go value to maps, lists, strings, ints, floats and bools according to its schema.
// An optional field that is missing or null gets its default, or is left out: expressions see nil.
func Plain(v any, s *schema.Schema) (any, error) {
	if items, ok := v.([]Result); ok { // outcomes of a fan-out
		out := make([]any, len(items))
		for i, it := range items {
			out[i] = it.Seen(s.Items.Field("value").Schema)
		}
		return out, nil
	}
	if r, ok := v.(interface{ PlainForm() any }); ok {
		v = r.PlainForm()
	}
	if plain, is := copyPlain(v); is {
		return fill(plain, s), nil
	}
	plain, err := viaJSON(v)
	if err != nil {
		return nil, err
	}
	return fill(plain, s), nil
}

// viaJSON converts a value by encoding it to JSON and decoding that.
func viaJSON(v any) (plain any, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("value of type %T has no JSON form: %w", v, err)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	err = d.Decode(&plain)
	return plain, err
}

func fill(v any, s *schema.Schema) any {
	if s == nil {
		s = &schema.Schema{}
	}
	switch v := v.(type) {
	case nil:
		return zero(s) // nil if null is allowed
	case json.Number:
		return decodeNumber(v, s)
	case int:
		if s.Type == schema.Number {
			return float64(v)
		}
		return v
	case float64:
		return toNumber(v, s)
	case []any:
		for i := range v {
			v[i] = fill(v[i], s.Items)
		}
		return v
	case map[string]any:
		for k := range v {
			if s.Field(k) == nil {
				v[k] = fill(v[k], s.Open)
			}
		}
		for _, f := range s.Fields {
			fillField(v, f)
		}
		return v
	}
	return v
}

func fillField(m map[string]any, f schema.Field) {
	v := m[f.Name]
	switch {
	case v != nil:
		m[f.Name] = fill(v, f.Schema)
	case f.Schema.Nullable && has(m, f.Name):
	case f.Schema.Default != nil:
		m[f.Name] = defaultOf(f.Schema)
	case f.Required:
		m[f.Name] = zero(f.Schema)
	default:
		delete(m, f.Name)
	}
}

func has(m map[string]any, key string) bool {
	_, there := m[key]
	return there
}

// defaultOf returns the default of a schema as expressions see it.
func defaultOf(s *schema.Schema) any {
	bare := *s
	bare.Default = nil
	if v, err := Plain(s.Default, &bare); err == nil {
		return v
	}
	return zero(&bare)
}

// toNumber returns a number as it would come back from JSON, which writes numbers without a
// fraction as integers.
func toNumber(f float64, s *schema.Schema) any {
	const exact, wordy = 1 << 53, 1e21 // all integers below exact are exact floats; JSON uses exponents from wordy on
	switch size := math.Abs(f); {
	case s.Type == schema.Number || f != math.Trunc(f) || size >= wordy:
		return f
	case size < exact:
		return int(f)
	}
	return decodeNumber(json.Number(strconv.FormatFloat(f, 'f', -1, 64)), s)
}

func decodeNumber(n json.Number, s *schema.Schema) any {
	if i, err := n.Int64(); err == nil && s.Type != schema.Number {
		return int(i)
	}
	f, _ := n.Float64()
	return f
}

// Env builds the environment of a pipeline's expressions. view returns the state of the
// session; it is called only if an expression reads it.
func (p *Pipeline) Env(input map[string]any, roots map[string][]string, collections []string, view func() session.View) (map[string]any, error) {
	seen, err := Plain(input, p.Input)
	if err != nil {
		return nil, err
	}
	var known any
	if p.ReadsSession {
		if known, err = Plain(view(), sessionSchema); err != nil {
			return nil, err
		}
	}
	kinds := make(map[string]any, len(roots))
	for k, dirs := range roots {
		list := make([]any, len(dirs))
		for i, d := range dirs {
			list[i] = d
		}
		kinds[k] = list
	}
	names := make([]any, len(collections))
	for i, name := range collections {
		names[i] = name
	}
	return map[string]any{envInput: seen, envRoots: kinds, envCollections: names, envSession: known}, nil
}

// Set puts a finished stage into the environment. A value that no expression reads is left out, because making it
// readable takes longer than many stages run.
func (s *Stage) Set(env map[string]any, r Result) {
	if !s.Read && r.Value != nil {
		return
	}
	seen := r.Seen(s.seenSchema())
	if s.Repeat != nil {
		seen[envRounds] = append([]any{}, r.Rounds...)
	}
	env[s.Name] = seen
}

// seenSchema returns the schema of the stage's value: a list of outcomes if it fans out.
func (s *Stage) seenSchema() *schema.Schema {
	if s.Each == nil {
		return s.Out
	}
	return &schema.Schema{Type: schema.Array, Items: OutcomeSchema(s.Out)}
}

// WithItem returns env with item bound, for one run of a fan-out.
func WithItem(env map[string]any, item any) map[string]any {
	return bind(env, map[string]any{envItem: item})
}

// bind returns env with further names.
func bind(env, names map[string]any) map[string]any {
	out := maps.Clone(env)
	maps.Copy(out, names)
	return out
}
