// Package catalog holds builtins as values: a name, input and output types, and a
// function. The list is explicit (builtins.All) and reaches runtime/pipeline/plan as an
// argument, so runtime never imports a builtin and a test can run with another set.
package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Caps are the capabilities that a builtin declares. It gets access to nothing else.
type Caps uint

// The capabilities. A role that may read no root may not be allowed a builtin that needs one.
const (
	Roots     Caps = 1 << iota // reads files below the request's roots
	AllKinds                   // with Roots: files of every kind, not only those of its role
	Artifacts                  // reads below the artifact root
	Write                      // with Artifacts: writes there
	Upstream                   // sees the tools of upstream MCP servers
	Execute                    // with Upstream: runs them
	Paging                     // with Upstream: reads further pages of their results
	History                    // with Roots: reads past commits of the repository that a root is or lies in
	Learnt                     // knows which upstream tools have been used
	Network                    // reads pages of the hosts that the user's configuration opens
	Documents                  // searches the collections that the configuration names
	Annotate                   // with Documents: pins quotes of them in the store
)

// Builtin is one deterministic step that a pipeline or a role can call.
type Builtin struct {
	Name  string // dotted, such as code.grep
	Doc   string // one line, for people and models
	Caps  Caps
	In    *schema.Schema
	Out   *schema.Schema
	OutGo reflect.Type // Go type of the value Run returns
	// Shape returns the output type if it depends on the input; nil if it does not. An
	// error means that the inputs a stage gives are wrong.
	Shape   func(map[string]Given) (*schema.Schema, error)
	run     func(context.Context, *Env, map[string]any) (any, error)
	ground  bool
	atOnce  bool
	lenient bool // ignores input fields that it does not know
}

// Given is what is known of an input before anything runs.
type Given struct {
	Type    *schema.Schema
	Literal any // the value, if it is written out
}

// New makes a builtin from a function. In and Out are structs whose tags give the schemas (see
// schema.FromType). A name without a dot or a type without a schema is a programming error and panics.
func New[In, Out any](name, doc string, caps Caps, fn func(context.Context, *Env, In) (Out, error)) Builtin {
	if !strings.Contains(name, ".") || doc == "" {
		panic(fmt.Sprintf("builtin %q: want a dotted name and a doc line", name))
	}
	out := reflect.TypeFor[Out]()
	return Builtin{
		Name: name, Doc: doc, Caps: caps, OutGo: out,
		In:     schema.MustFromType(reflect.TypeFor[In]()),
		Out:    schema.MustFromType(out),
		ground: out == reflect.TypeFor[contract.Result](),
		run: func(ctx context.Context, env *Env, input map[string]any) (any, error) {
			in, err := Decode[In](input)
			if err != nil {
				return nil, &InputError{Builtin: name, Err: err}
			}
			return fn(ctx, env, in)
		},
	}
}

// NewOpen makes a builtin that takes further inputs of any name, all of one type. Members that
// this type does not have are ignored.
func NewOpen[In, More, Out any](name, doc string, caps Caps, fn func(context.Context, *Env, In, map[string]More) (Out, error)) Builtin {
	b := New[In, Out](name, doc, caps, nil)
	b.In.Open = schema.MustFromType(reflect.TypeFor[More]())
	b.run = func(ctx context.Context, env *Env, input map[string]any) (any, error) {
		own, rest := map[string]any{}, map[string]any{}
		for member, v := range input {
			if b.In.Field(member) != nil {
				own[member] = v
			} else {
				rest[member] = v
			}
		}
		in, err := Decode[In](own)
		more, wrong := DecodeLenient[map[string]More](rest)
		if err == nil {
			err = wrong
		}
		if err != nil {
			return nil, &InputError{Builtin: name, Err: err}
		}
		return fn(ctx, env, in, more)
	}
	return b
}

// Immediate returns the builtin marked as one that answers from memory.
func (b Builtin) Immediate() Builtin {
	b.atOnce = true
	return b
}

// NeedsNoWorker reports whether a run needs no worker: it answers from memory or waits for
// another program. It runs even when the pool is full.
func (b Builtin) NeedsNoWorker() bool { return b.atOnce || b.Caps&^(Execute|Paging) == Upstream }

// Grounds reports whether the builtin can answer for a role: it returns a
// contract.Result.
func (b Builtin) Grounds() bool { return b.ground }

// GivesText reports whether the builtin returns the text behind references: it
// takes references and returns contract.Excerpts.
func (b Builtin) GivesText() bool {
	return b.OutGo == reflect.TypeFor[contract.Excerpts]() && b.In.Field("references") != nil
}

// Shortens reports whether the builtin can shorten a text on its own: it takes a text and
// the number of tokens that may remain, needs nothing else, and returns a text.
func (b Builtin) Shortens() bool {
	for name, want := range map[string]string{"text": schema.String, "tokens": schema.Integer} {
		if f := b.In.Field(name); f == nil || f.Schema.Type != want {
			return false
		}
	}
	for _, f := range b.In.Fields {
		if f.Name != "text" && f.Required && f.Schema.Default == nil {
			return false
		}
	}
	out := b.Out.Field("text")
	return b.Caps == 0 && out != nil && out.Schema.Type == schema.String
}

// Lenient returns the builtin marked as one that ignores input fields it does not declare.
func (b Builtin) Lenient() Builtin {
	b.lenient = true
	return b
}

// Run decodes the input, fills in defaults and calls the function.
func (b Builtin) Run(ctx context.Context, env *Env, input map[string]any) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	full := b.In.WithDefaults(input)
	if b.lenient {
		maps.DeleteFunc(full, func(name string, _ any) bool { return b.In.Field(name) == nil })
	}
	e := event.Event{Kind: event.Builtin, Name: b.Name}
	if event.Wanted(ctx, event.Builtin) {
		e.Bytes = sizeOf(full)
	}
	ctx, span := event.Start(ctx, e)
	out, err := b.run(ctx, env, full)
	End(span, err)
	return out, err
}

// End ends a span with the status of err.
func End(span *event.Span, err error) {
	if span == nil {
		return
	}
	if err == nil {
		span.End(event.OK, "")
		return
	}
	status, e := contract.AsError(err)
	span.Error = e.Message
	span.End(string(status), e.Code)
}

// Decode decodes a plain value into a Go type. An unknown member is an error.
func Decode[T any](v any) (T, error) { return decode[T](v, true) }

// DecodeLenient works like Decode but ignores unknown members.
func DecodeLenient[T any](v any) (T, error) { return decode[T](v, false) }

func decode[T any](v any, strict bool) (T, error) {
	var out, slow, none T
	if assign(reflect.ValueOf(&out).Elem(), v) {
		return out, nil
	}
	raw, err := json.Marshal(v)
	if err == nil {
		err = decodeJSON(raw, &slow, strict) // this reports what is wrong
	}
	if err != nil {
		return none, err
	}
	return slow, nil
}

func decodeJSON(raw json.RawMessage, into any, strict bool) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if strict {
		d.DisallowUnknownFields()
	}
	return d.Decode(into)
}

// InputError reports that a builtin was called with input that it cannot take.
type InputError struct {
	Builtin string
	Err     error
}

func (e *InputError) Error() string {
	return fmt.Sprintf("%s: input: %v", e.Builtin, e.Err)
}

func (e *InputError) Unwrap() error { return e.Err }

// Code is INVALID_INPUT.
func (e *InputError) Code() string { return "INVALID_INPUT" }
