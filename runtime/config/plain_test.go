package config

import (
	"strings"
	"testing"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
)

func TestPlainFiles(t *testing.T) {
	list := strings.Repeat("1, ", 100)
	for text, want := range map[string]bool{
		"":                                   true,
		"// a remark\n":                      true,
		"package compactor":                  true,
		"package compactor // ours\n\na: 1":  true,
		"package other\n":                    false,
		"package: 1\n":                       false,
		"package #compactor":                 false,
		"a: b: c: 1\n\"d e\": 1.5\n":         true,
		"a: {b: true, c: null\n}\n":          true,
		"a: [1, 2Ki, \"x\", {b: []}, [{}],]": true,
		"a: #\"\\d+\"#\nb: \"\"\"\n\tx\n\ty\n\t\"\"\"\n": true,
		"a: 'bytes', b: 'x'":                             true,
		"a: [" + list + "]":                              true,

		"a: int":                             false,
		"a: b":                               false,
		"package compactor\nimport \"list\"": false,
		"import \"list\"\n":                  false,
		"a: \"\\(b)\"":                       false,
		"a: 1 + 1":                           false,
		"a: -1":                              false,
		"a: 1 | 2":                           false,
		"a: >1":                              false,
		"a?: 1":                              false,
		"a!: 1":                              false,
		"#a: 1":                              false,
		"_a: 1":                              false,
		"a: _":                               false,
		"[string]: 1":                        false,
		"[\"a\"]: 1":                         false,
		"a: [...]":                           false,
		"a: {...}":                           false,
		"a: [1][0]":                          false,
		"a: {b: 1}.b":                        false,
		"a: len(\"x\")":                      false,
		"a: 1 @x(y)":                         false,
		"@extern(embed)\npackage x\n":        false,
		"let a = 1":                          false,
		"a=b: 1":                             false,
		"for x in [1] {}":                    false,
		"a: \"x\" \"y\"":                     false,
		"a: {b: 1]":                          false,
		"a: {":                               false,
		"a: }":                               false,
		"a:":                                 false,
		"a":                                  false,
		"a:, b: 1":                           false,
		"a: \"x\ny\"":                        false,
		"a: 1e":                              false,
		strings.Repeat("a: ", 9) + "1":       false,
		"a: " + strings.Repeat("[", 21) + strings.Repeat("]", 21): false,
	} {
		if got := isPlain([]*file{{text: []byte(text)}}); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for what, text := range map[string]string{
		"size":   strings.Repeat("// a remark\n", maxPlainSize/24+1),
		"tokens": strings.Repeat("a: 1\n", maxPlainTokens/8+1),
	} {
		half := &file{text: []byte(text)}
		if !isPlain([]*file{half}) || isPlain([]*file{half, half}) {
			t.Errorf("the %s of all files together counts", what)
		}
	}
}

// FuzzPlain: what is taken for plain parses, to nothing but plain values of little depth.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"package compactor\na: b: [1, {c: \"x\"}]\n", "a: 'x'\n'b': 1", "\"\"\": 1", "a: #\"x\"#: 1", "1: 2", "a: {1, 2}", "package#A", "[a: 1]", "import: 1", "let: 1", "for: 1", "if: 1\n", "true: 1", "\"\\(a)\": 1", "a\u2028: 1", "\"\"\"\n\"\"\": 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !isPlain([]*file{{text: []byte(text)}}) {
			return
		}
		syntax, err := parser.ParseFile("a.cue", text, parser.ParseComments)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		depth := 0
		ast.Walk(syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.File, *ast.Package, *ast.Field, *ast.StructLit, *ast.ListLit, *ast.BasicLit, *ast.EmbedDecl, *ast.CommentGroup, *ast.Comment, *ast.Ident:
			default:
				t.Fatalf("%q: %T", text, n)
			}
			if f, ok := n.(*ast.Field); ok {
				if _, ok := f.Value.(*ast.Ident); ok || f.Constraint != 0 || len(f.Attrs) > 0 {
					t.Fatalf("%q: the value of a field", text)
				}
			}
			if depth++; depth > 2*(maxPlainNesting+1)*(maxPlainChain+1) {
				t.Fatalf("%q is too deep", text)
			}
			return true
		}, func(ast.Node) { depth-- })
	})
}
