package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	bytecode "github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// maxNodes limits the size of expressions: they select and pass on, they do not compute.
const maxNodes = 400

// nondeterministic lists builtins of expr that would make two equal runs differ, by the
// clock or by the time zones of the machine.
var nondeterministic = []string{"now", "timezone"}

// language returns the settings that all expressions have in common. Compiling one copies
// them: expr only reads the tables, and making these takes a fifth of the time.
var language = sync.OnceValue(func() *conf.Config {
	c := conf.CreateNew()
	c.MaxNodes = maxNodes
	for _, name := range nondeterministic {
		c.Disabled[name] = true
		delete(c.Builtins, name)
	}
	return c
})

// Program is a compiled expression or a literal.
type Program struct {
	Source  string
	Literal any // set instead of an expression
	Reads   []string
	inputs  []string // input fields that it reads
	whole   bool     // reads the input as a whole
	Type    *schema.Schema
	run     *vm.Program
	builds  bool          // makes a value of its own
	doubts  []exprProblem // where it breaks, or misleads, on an absent value
	holds   setting       // for a condition: what is known if it is true
}

// text returns the source of an expression, or "" for none.
func (p *Program) text() string {
	if p == nil {
		return ""
	}
	return p.Source
}

// Eval computes the expression. The error names the expression and the cause.
func (p *Program) Eval(env map[string]any) (any, error) {
	if p.run == nil {
		return p.Literal, nil
	}
	machine := vm.VM{MemoryBudget: maxUnits}
	v, err := machine.Run(p.run, env)
	if err == nil && p.builds {
		_, err = deepCharge(v) // the next reader walks the whole value
	}
	if err != nil {
		return nil, &EvalError{Source: p.Source, Err: err}
	}
	return v, nil
}

// Test evaluates a condition.
func (p *Program) Test(env map[string]any) (bool, error) {
	v, err := p.Eval(env)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, &EvalError{Source: p.Source, Err: fmt.Errorf("is %T, want true or false", v)}
	}
	return b, nil
}

// EvalError is an error from running an expression.
type EvalError struct {
	Source string
	Err    error
}

func (e *EvalError) Error() string {
	const maxShown = 300 // characters of texts that may contain a value
	msg, _, _ := strings.Cut(e.Err.Error(), "\n")
	if e.isLimit() && !errors.Is(e.Err, errDepth) {
		msg = errLimit.Error()
	}
	return fmt.Sprintf("expression %q: %s", sanitize.Cut(e.Source, maxShown), sanitize.Cut(msg, maxShown))
}

func (e *EvalError) Unwrap() error { return e.Err }

// Code returns EXPRESSION_LIMIT if the expression would take too much, otherwise EXPRESSION_ERROR.
func (e *EvalError) Code() string {
	if e.isLimit() {
		return "EXPRESSION_LIMIT"
	}
	return "EXPRESSION_ERROR"
}

func (e *EvalError) isLimit() bool {
	return errors.Is(e.Err, errLimit) || errors.Is(e.Err, errDepth) || strings.HasPrefix(e.Err.Error(), "memory budget exceeded")
}

// exprProblem is a compile error with its position in the source, in runes; From = To = 0
// if the position is unknown.
type exprProblem struct {
	Message  string
	From, To int

	Code, Help string // of an absent value
	Severity   diag.Severity
}

// compileExpr checks source against the environment. With wantBool, anything but a
// condition is a problem.
func compileExpr(source string, env *schema.Schema, wantBool bool) (*Program, *exprProblem) {
	return compileUnder(source, env, wantBool, setting{})
}

// compileUnder is compileExpr for a place with surrounding conditions.
func compileUnder(source string, env *schema.Schema, wantBool bool, given setting) (*Program, *exprProblem) {
	if strings.TrimSpace(source) == "" {
		return nil, &exprProblem{Message: "the expression is empty"}
	}
	if len(source) > maxSource {
		return nil, &exprProblem{Message: fmt.Sprintf("is %d bytes long, want %d or less", len(source), maxSource)}
	}
	shared := *language()
	c := &shared
	c.WithEnv(envTypes(env, source, false))
	tree, err := parser.ParseWithConfig(source, c)
	if err != nil {
		return nil, problemOf(err, source)
	}
	if problem := checkPatterns(tree.Node); problem != nil {
		return nil, problem
	}
	if _, err := checker.Check(tree, c); err != nil {
		return nil, problemOf(err, source)
	}
	a := nilChecker{typing: typing{env: env, known: given.known}, looked: given.looked}
	p := &Program{Source: source, Reads: namesRead(tree.Node), Type: a.typeOf(tree.Node), builds: buildsValue(tree.Node)}
	p.inputs, p.whole = inputsOf(tree.Node)
	if t := tree.Node.Type(); wantBool && p.Type.Type != schema.Boolean && (t == nil || t.Kind().String() != "interface" || p.Type.Type != schema.Any) {
		return nil, &exprProblem{Message: fmt.Sprintf("is %s, want a condition that is true or false", describe(p.Type))}
	}
	if wantBool {
		tree.Node = a.coerceBool(tree.Node)
		p.holds = setting{known: a.factsWhere(tree.Node, true), looked: a.mentionedPaths(tree.Node)}
	} else {
		a.walk(tree.Node)
	}
	p.doubts = a.found
	if a.loose {
		c.WithEnv(envTypes(env, source, true))
		if _, err := checker.Check(tree, c); err != nil {
			return nil, problemOf(err, source)
		}
	}
	if p.builds {
		c.Functions = guards()
		tree.Node = insertGuards(tree.Node)
		if _, err := checker.Check(tree, c); err != nil {
			return nil, problemOf(err, source)
		}
	}
	// The optimizer is not used: it makes lists of constant ranges without charging for them.
	if p.run, err = bytecode.Compile(tree, c); err != nil {
		return nil, problemOf(err, source)
	}
	return p, nil
}

// envTypes returns the part of the environment that a source can read: in a long
// pipeline most of it does not matter to one expression.
func envTypes(env *schema.Schema, source string, lax bool) types.Map {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(source, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	m := types.Map{}
	for _, f := range env.Fields {
		if words[f.Name] || words[envAll] {
			m[f.Name] = exprType(f.Schema, lax)
		}
	}
	if env.Open != nil {
		m[types.Extra] = exprType(env.Open, lax)
	}
	return m
}

func problemOf(err error, source string) *exprProblem {
	var at *file.Error
	if !errors.As(err, &at) {
		msg, _, _ := strings.Cut(err.Error(), "\n")
		return &exprProblem{Message: msg}
	}
	p := &exprProblem{Message: at.Message, From: at.From, To: at.To}
	if p.To <= p.From {
		p.To = p.From + 1
	}
	if p.From > len([]rune(source)) {
		p.From, p.To = 0, 0
	}
	return p
}

// namesRead lists the environment names that an expression uses.
func namesRead(root ast.Node) []string {
	var v identifiers
	ast.Walk(&root, &v)
	slices.Sort(v.names)
	return slices.Compact(v.names)
}

type identifiers struct{ names []string }

func (v *identifiers) Visit(n *ast.Node) {
	if id, ok := (*n).(*ast.IdentifierNode); ok {
		v.names = append(v.names, id.Value)
	}
}

func describe(s *schema.Schema) string {
	if s == nil {
		return "anything"
	}
	switch s.Type {
	case schema.Any:
		return "anything"
	case schema.Array:
		return "a list of " + plural(s.Items)
	case schema.Object:
		if len(s.Fields) == 0 {
			return "an object"
		}
		return "an object with " + strings.Join(s.Names(), ", ")
	case schema.Integer:
		return "a whole number"
	case schema.Number:
		return "a number"
	case schema.Boolean:
		return "true or false"
	}
	return "a string"
}

func plural(s *schema.Schema) string {
	if s == nil || s.Type == schema.Any {
		return "anything"
	}
	if s.Type == schema.Object {
		return "objects"
	}
	return map[string]string{schema.String: "strings", schema.Integer: "whole numbers", schema.Number: "numbers",
		schema.Boolean: "true or false", schema.Array: "lists"}[s.Type]
}

// inputsOf returns the input fields that an expression reads; whole is true if it reads
// the input in another way.
func inputsOf(root ast.Node) (fields []string, whole bool) {
	v := inputFields{}
	ast.Walk(&root, &v)
	return v.fields, v.mentioned > len(v.fields)
}

type inputFields struct {
	fields    []string
	mentioned int
}

func (v *inputFields) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		if n.Value == envInput {
			v.mentioned++
		}
	case *ast.MemberNode:
		id, ok := n.Node.(*ast.IdentifierNode)
		field, named := n.Property.(*ast.StringNode)
		if ok && named && id.Value == envInput {
			v.fields = append(v.fields, field.Value)
		}
	}
}
