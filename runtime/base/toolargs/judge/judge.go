package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits of one schema and one check. Arguments that take more steps are not checked: alternatives that contain each
// other twice at each level would take longer than a lifetime.
const (
	maxSchema = 256 << 10 // bytes
	maxNodes  = 5000      // schemas within the schema, counting the target of references once
	maxDepth  = 64
	maxSteps  = 100_000
)

// Schema is a schema to check arguments against. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema
	steps    *steps
}

// steps counts the work of one check. The library has no limit of its own; a vocabulary sees each of its steps.
type steps struct {
	mu   sync.Mutex
	left int
}

// Compile reads a schema. The error says why no arguments can be checked against it.
func Compile(schema json.RawMessage) (*Schema, error) {
	if len(schema) > maxSchema {
		return nil, fmt.Errorf("schema: %d bytes; %d can be judged", len(schema), maxSchema)
	}
	doc, err := rewriteSchema(schema)
	if err != nil {
		return nil, err
	}
	s := &Schema{steps: &steps{left: math.MaxInt}}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "urn:steps", Compile: s.steps.compileCounter})
	c.AssertVocabs()
	if err := c.AddResource(home, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if s.compiled, err = c.Compile(home); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return s, nil
}

// Sound returns why a client's validator would not compile a schema unchanged; also nil if the schema is too large to
// tell.
func Sound(schema json.RawMessage) error {
	if len(schema) > maxSchema {
		return nil
	}
	doc, err := decodeFloats(schema)
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	c.UseRegexpEngine(anyDialect)
	if err := c.AddResource(home, doc); err != nil {
		return err
	}
	_, err = c.Compile(home)
	return err
}

// anyDialect rejects patterns that are invalid in every dialect, and Python's named groups, which no JavaScript client
// can parse.
func anyDialect(pattern string) (jsonschema.Regexp, error) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) && slices.Contains([]syntax.ErrorCode{syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen,
		syntax.ErrTrailingBackslash, syntax.ErrInvalidCharRange}, wrong.Code) {
		return nil, err
	}
	if strings.Contains(pattern, "(?P<") {
		return nil, errors.New("pattern of Python: " + pattern)
	}
	return dialect(pattern), nil
}

// dialect is a pattern that is never matched.
type dialect string

func (dialect) MatchString(string) bool { return true }
func (d dialect) String() string        { return string(d) }

// home is the address of the schema, for references within it.
const home = "urn:schema"

// nothing is a loader that refuses to load.
type nothing struct{}

func (nothing) Load(url string) (any, error) { return nil, errors.New(url + " is not loaded") }

// compileCounter makes each schema object cost a step, plus one for each schema that it may lead to.
func (s *steps) compileCounter(_ *jsonschema.CompilerContext, obj map[string]any) (jsonschema.SchemaExt, error) {
	cost := 1
	for _, v := range obj {
		if list, ok := v.([]any); ok {
			cost += len(list)
		}
	}
	return step{s, cost}, nil
}

type step struct {
	*steps
	cost int
}

// Validate counts steps. It runs whether the schema matches or not, and each error stores the path to its place.
func (s step) Validate(at *jsonschema.ValidatorContext, v any) {
	s.left -= s.cost + len(at.ValueLocation())
	switch v := v.(type) {
	case map[string]any:
		s.left -= len(v)
	case []any:
		s.left -= len(v)
	}
	if s.left < 0 {
		panic(exhausted{})
	}
}

// exhausted ends a check from within the library.
type exhausted struct{}

// Check returns what is certainly wrong with the arguments: nothing if they fit or if it cannot tell.
func (s *Schema) Check(args json.RawMessage) []Fault {
	v, err := decodeFloats(args)
	if err != nil {
		return nil
	}
	s.steps.mu.Lock()
	defer s.steps.mu.Unlock()
	s.steps.left = maxSteps
	return s.checkValue(v)
}

func (s *Schema) checkValue(v any) (found []Fault) {
	defer func() {
		switch p := recover().(type) {
		case nil, exhausted:
		default:
			panic(p)
		}
	}()
	var wrong *jsonschema.ValidationError
	if errors.As(s.compiled.Validate(v), &wrong) {
		found = faultsOf(wrong)
	}
	return found
}
