package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/parser"
	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// absentEnv has each kind of input, and none of them is given.
func absentEnv() (*schema.Schema, map[string]any) {
	object := func(fields ...schema.Field) *schema.Schema {
		return &schema.Schema{Type: schema.Object, Fields: fields}
	}
	field := func(name, typ string) schema.Field {
		return schema.Field{Name: name, Schema: &schema.Schema{Type: typ}}
	}
	list := func(name string, items *schema.Schema) schema.Field {
		return schema.Field{Name: name, Schema: &schema.Schema{Type: schema.Array, Items: items}}
	}
	needed := func(f schema.Field) schema.Field { f.Required = true; return f }
	row := object(needed(field("name", schema.String)), field("line", schema.Integer), field("good", schema.Boolean))
	input := object(field("n", schema.Integer), field("f", schema.Number), field("s", schema.String), field("b", schema.Boolean),
		list("l", &schema.Schema{Type: schema.String}), needed(list("rows", row)), needed(field("must", schema.String)),
		schema.Field{Name: "o", Schema: object(field("n", schema.Integer), needed(field("s", schema.String)))},
		schema.Field{Name: "preset", Schema: &schema.Schema{Type: schema.Integer, Default: 7}},
		schema.Field{Name: "void", Required: true, Schema: &schema.Schema{Type: schema.String, Nullable: true}},
		schema.Field{Name: "open", Required: true, Schema: &schema.Schema{Type: schema.Object, Open: &schema.Schema{Type: schema.String}}})
	given := map[string]any{"rows": []any{map[string]any{"name": "x"}}, "must": "m", "n": nil, "void": nil, "open": map[string]any{}}
	seen, err := Plain(given, input)
	if err != nil {
		panic(err)
	}
	return object(schema.Field{Name: "input", Required: true, Schema: input}), map[string]any{"input": seen}
}

func TestAbsentIsNil(t *testing.T) {
	schema, env := absentEnv()
	for source, want := range map[string]any{
		"input.n": nil, "input.s": nil, "input.l": nil, "input.o": nil, "input.b": nil, "input.void": nil,
		"input.n ?? 5": 5, "input.f ?? 0.5": 0.5, "input.s ?? 'x'": "x", "input.l ?? ['a']": []any{"a"}, "input.o?.n ?? 3": 3, "input.b ?? true": true,
		"input.n == nil": true, "input.s != nil": false, "input.s == 'x'": false, "input.n == 3": false, "'s' in input": false,
		"input.s contains 'x'": false, "input.s matches 'x'": false, "input.s in ['x']": false, "'x' in input.l": false,
		"not input.b": true, "input.b || input.must == 'm'": true, "input.b && (input.n ?? 0) > 3": false, "input.b ? 1 : 2": 2,
		"input.n != nil ? input.n + 1 : 0": 0, "input.n == nil ? 0 : input.n + 1": 0, "input.n != nil && input.n > 3": false,
		"input.n == nil || input.n > 3": true, "not (input.n != nil) or input.n > 3": true, "input.o?.n != nil ? input.o.n * 2 : 1": 1,
		"let n = input.n ?? 2; n * 3": 6, "{n: input.n}": map[string]any{"n": nil}, "input.preset + 1": 8,
		"map(input.rows, .line ?? 1)": []any{1}, "filter(input.rows, .good)": []any{}, "count(input.rows, .line != nil && .line > 1)": 0,
		"map(filter(input.rows, .line != nil), .line)": []any{}, "len(input.l ?? [])": 0, "input.open.x == 'y'": false, "input.n in 1..3": false,
	} {
		p, problem := compileExpr(source, schema, false)
		if problem != nil || len(p.doubts) > 0 {
			t.Errorf("%s: %+v %+v", source, problem, p)
			continue
		}
		if got, err := p.Eval(env); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", source, got, err, want)
		}
	}
}

func TestConditionOnWhatIsAbsentIsFalse(t *testing.T) {
	schema, env := absentEnv()
	for _, source := range []string{"input.b", "input.b and true", "input.o?.n != nil", "input.b ? true : input.b"} {
		p, problem := compileExpr(source, schema, true)
		if problem != nil || len(p.doubts) > 0 {
			t.Fatalf("%s: %+v", source, problem)
		}
		if ok, err := p.Test(env); ok || err != nil {
			t.Errorf("%s: %v, %v", source, ok, err)
		}
	}
}

// What validate calls an error does break where the input is left out.
func TestUseOfTheAbsentIsAnErrorThatIsTrue(t *testing.T) {
	schema, env := absentEnv()
	for source, want := range map[string]string{
		"input.n + 1": "input.n ?? 0", "1 - input.f": "input.f ?? 0", "input.n > 3": "input.n ?? 0", "input.must + input.s": "input.s ?? ''",
		"-input.n > 3": "input.n ?? 0", "len(input.l) > 0": "input.l ?? []", "map(input.l, # + 'x')": "input.l ?? []", "upper(input.s)": "input.s ?? ''",
		"input.o.n": "input.o?.n", "input.o.s + 'x'": "input.o?.s", "input.l[0]": "input.l ?? []", "input.l[:2]": "input.l ?? []",
		"input.rows[input.n]": "input.n ?? 0", "1..input.n": "input.n ?? 0", "map(input.rows, .line + 1)": ".line ?? 0",
		"sum(input.rows, .line)": ".line ?? 0", "input.n != nil ? 1 : input.n + 1": "input.n ?? 0", "let n = input.n; n + 1": "n ?? 0",
		"input.void + 'x'": "input.void ?? ''", "input.s == nil && input.must + input.s == 'm'": "input.s ?? ''", "(input.o?.n) * 2": "input.o?.n ?? 0",
	} {
		p, problem := compileExpr(source, schema, false)
		if problem != nil || len(p.doubts) == 0 {
			t.Errorf("%s: %+v, no doubt", source, problem)
			continue
		}
		d := p.doubts[0]
		looked := strings.Contains(source, "?? 0 :") || strings.Contains(source, "nil")
		if !strings.Contains(d.Help, want) || d.To <= d.From || !looked && d.Severity != diag.Error {
			t.Errorf("%s: %+v, want %s", source, d, want)
		}
		if v, err := p.Eval(env); err == nil {
			t.Errorf("%s is %v: it does not break", source, v)
		}
	}
}

func TestDoubtfulUses(t *testing.T) {
	schema, _ := absentEnv()
	for source, want := range map[string]string{
		"input.s == ''": "compare with nil, or write (input.s ?? '')",
		"input.n != 0":  "compare with nil, or write (input.n ?? 0)",
		"len(input.l ?? []) > 0 ? input.l[0] : ''":       "write (input.l ?? [])",
		"(input.n ?? 0) > 3 && input.n + 1 == input.n+1": "write (input.n ?? 0)",
	} {
		p, problem := compileExpr(source, schema, false)
		if problem != nil || len(p.doubts) == 0 {
			t.Errorf("%s: %+v", source, problem)
			continue
		}
		if d := p.doubts[0]; d.Severity != diag.Warning || !strings.Contains(d.Help, want) {
			t.Errorf("%s: %+v", source, d)
		}
	}
}

// The list of functions that take nil is what they do.
func TestFunctionsThatTakeNil(t *testing.T) {
	schema, env := absentEnv()
	for _, f := range builtin.Builtins {
		if f.Predicate || slices.Contains(nondeterministic, f.Name) {
			continue
		}
		breaks, compiled := false, false
		for _, args := range []string{"%s", "%s, 'x'", "%s, 1", "%s, 'x', 'y'"} {
			for _, of := range []string{"input.s", "input.n", "input.l", "input.o"} {
				p, problem := compileExpr(f.Name+"("+fmt.Sprintf(args, of)+")", schema, false)
				if problem != nil {
					continue
				}
				compiled = true
				_, err := p.Eval(env)
				breaks = breaks || err != nil
			}
		}
		if compiled && breaks == slices.Contains(takeNil, f.Name) {
			t.Errorf("%s: breaks on nil is %v", f.Name, breaks)
		}
	}
}

// However an expression is nested, looking at it is little work.
func TestNestedExpressionsAreLittleWork(t *testing.T) {
	env, _ := absentEnv()
	nest := func(before, core, after string, times int) string {
		return strings.Repeat(before, times) + core + strings.Repeat(after, times)
	}
	for name, source := range map[string]string{
		"chains":      nest("(", "input?.o", "?.o)", 90),
		"signs":       nest("-(", "input.n ?? 1", ")", 150),
		"stand-ins":   nest("(", "input.n", " ?? input.n)", 90),
		"ternaries":   nest("(input.b ? ", "input.n", " : input.n)", 55),
		"conditions":  nest("(input.n != nil && ", "input.b", ")", 55),
		"both sides":  nest("(input.n != nil ? ", "-(input.n)", " : 1)", 50),
		"loops":       nest("filter(", "input.rows", ", .good)", 90),
		"loops in it": nest("map(input.rows, ", "#", ")", 60),
		"variables":   "let a = input.n; let b = a ?? a; let c = b ?? b; let d = c ?? c; d ?? d",
	} {
		tree, err := parser.Parse(source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a := nilChecker{typing: typing{env: env}}
		a.coerceBool(tree.Node)
		if a.steps > maxSteps/2 {
			t.Errorf("%s: %d steps for %d bytes", name, a.steps, len(source))
		} else {
			t.Logf("%s: %d steps", name, a.steps)
		}
	}
}
