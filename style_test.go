package compactor_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// Limits in percent of the functions that are counted. zoekt, the OpenTelemetry
// collector and caddy have 0.5 to 1.8 of such comments and 4 to 12 of such names.
const (
	maxDialect = 3  // of function comments: those in turns of phrase that only this project had
	maxOneWord = 25 // of unexported functions: those named by one word
)

// dialect matches what stood in for standard terms: "nobody", "anew", "X is none".
var dialect = regexp.MustCompile(`\b(nobody|anew|by and by|for ever|all the same|that of|those of|(is|are) none|(is|are) no [a-z]+ (and|but)|who (asks|asked|calls|called|reads|has|is)|so many)\b|` +
	`^\w+ (is|are) (what|who|whom|how|why|where|when|whether|whose)\b`)

// TestCommentsAndNamesArePlain fails where function comments fall back into a dialect
// of this project, and where functions are named by one word instead of verb and object.
func TestCommentsAndNamesArePlain(t *testing.T) {
	comments, dialects, functions, oneWord := 0, 0, 0, 0
	var found []string
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if !f.Name.IsExported() {
				functions++
				if strings.ToLower(f.Name.Name) == f.Name.Name {
					oneWord++
				}
			}
			if f.Doc == nil {
				continue
			}
			comments++
			if text := strings.Join(strings.Fields(f.Doc.Text()), " "); dialect.MatchString(text) {
				dialects++
				found = append(found, name+": "+text)
			}
		}
	}
	if comments < 5000 || functions < 5000 {
		t.Errorf("only %d comments and %d functions were read", comments, functions)
	}
	if dialects*100 > comments*maxDialect {
		t.Errorf("%d of %d function comments are in dialect, more than %d %%:\n%s", dialects, comments, maxDialect, strings.Join(found, "\n"))
	}
	if oneWord*100 > functions*maxOneWord {
		t.Errorf("%d of %d unexported functions are named by one word, more than %d %%", oneWord, functions, maxOneWord)
	}
}
