package compactor_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// attacks are the cases against upstream servers (U) and against local HTTP
// servers (H), each with the tests that hold what must come of it.
var attacks = []struct {
	id, attack, must string
	tests            []string // directory and function
}{
	{"U01", "a definition changes after it was approved, also within a session", "the tool is set aside until it is approved again", []string{
		"runtime/gateway TestAChangedToolIsSetAsideUntilApproved", "runtime/gateway/trust TestHashChangesWithEveryPart", "runtime/gateway/trust TestJudge"}},
	{"U02", "only a hint such as readOnlyHint changes", "it counts as a change", []string{
		"runtime/gateway TestAChangedToolIsSetAsideUntilApproved", "runtime/gateway/trust TestHashChangesWithEveryPart"}},
	{"U03", "a tool takes the name of another, by the same letters or by letters that look so", "names are of one server; deceptive ones are refused", []string{
		"runtime/gateway TestDeceptiveDefinitions", "runtime/gateway TestNamesAsModelsWriteThem", "runtime/gateway/trust TestName", "runtime/gateway/trust TestOneNameTwice"}},
	{"U04", "a description holds text that nobody sees, or too much of it", "it is taken out, cut and flagged", []string{
		"runtime/gateway TestDeceptiveDefinitions", "runtime/gateway/trust TestCleanStripsHiddenText", "runtime/gateway/trust TestCleanCutsLongTexts"}},
	{"U05", "a tool is seen for the first time", "under ask nothing runs before approval; a pinned hash wins", []string{
		"runtime/gateway TestAskHoldsBackWhatIsNew", "runtime/gateway TestAPinOfTheConfigurationWins", "runtime/gateway/trust TestJudge"}},
	{"U06", "a server asks for sampling, elicitation or roots", "refused, and the client does not hear of it, unless allowed", []string{
		"cmd/compactor TestAServerAsksNothingUnlessAllowed", "runtime/gateway/upstream TestElicitationIsRefusedUnlessAllowed"}},
	{"U07", "answers that are endless, deep, garbled, twice, late or nobody's", "an error for the caller; others are served, memory is bounded", []string{
		"runtime/gateway TestFaultsOfProgramsTouchNobodyElse", "runtime/gateway TestFaultsOfWebServersTouchNobodyElse",
		"runtime/gateway TestAnErrorOfAServerIsReadable", "runtime/gateway/upstream TestUselessAnswersAreErrorsOfTheirCallersOnly",
		"runtime/gateway/upstream TestAMessageWithoutEndCostsNoMemory", "runtime/gateway/upstream TestTheSecondAnswerAndAnswersAfterCancelAreIgnored"}},
	{"U08", "a result holds links to files and addresses", "nobody follows them", []string{
		"cmd/compactor TestLinksInResultsAreNotFollowed", "runtime/gateway/upstream TestRedirectsDoNotCarryHeadersAway"}},
	{"U09", "arguments that the schema does not know", "refused before the server sees them", []string{
		"runtime/gateway TestArguments", "runtime/server/args TestRefusesInWords"}},
	{"U10", "a server hangs or ends at any moment, or leaves a daemon", "time limits, back-off, an open circuit, and no process left", []string{
		"runtime/gateway TestFaultsOfProgramsTouchNobodyElse", "cmd/compactor TestServersThatHangOrCrashHoldNobodyUp", "cmd/compactor TestNothingOutlivesServe",
		"runtime/gateway/upstream TestTheCircuitOpensAndCloses", "runtime/gateway/upstream TestHangsEndInTime", "runtime/gateway/process TestNoProcessOutlivesUs"}},
	{"H01", "a foreign Host, as by DNS rebinding", "403", []string{"runtime/server TestAttacks"}},
	{"H02", "a foreign Origin", "403", []string{"runtime/server TestAttacks"}},
	{"H03", "a POST that needs no preflight", "415", []string{"runtime/server TestAttacks"}},
	{"H04", "no token, a wrong one, one in the query", "401, in constant time, never logged", []string{"runtime/server TestAttackToken"}},
	{"H05", "an address beyond this machine", "refused without a flag and a token", []string{"runtime/server TestAttackRemote"}},
	{"H06", "guessed sessions, many of them, slow and huge requests", "bounded", []string{
		"runtime/server TestAttackSessions", "runtime/server TestAttackSlowClients", "runtime/server TestAttackDrip"}},
	{"H07", "another user at the socket", "refused by mode, directory and peer", []string{
		"runtime/server TestAttackSocketFile", "runtime/server/listen TestUnixServesItsOwnUserOnly", "runtime/server/listen TestUnixNeedsAPrivateDirectory"}},
}

// TestEveryAttackIsTested holds that the tests named above are there and not
// skipped as a whole, and that no test names a case that is not in the table.
func TestEveryAttackIsTested(t *testing.T) {
	there := map[string]*ast.FuncDecl{}
	var ids []string
	for _, a := range attacks {
		ids = append(ids, a.id)
	}
	named := regexp.MustCompile(`\b[UH](0[1-9]|10)\b`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, id := range named.FindAllString(string(text), -1) {
			if !slices.Contains(ids, id) {
				t.Errorf("%s names %s, which is not in the table", path, id)
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				there[filepath.ToSlash(filepath.Dir(path))+" "+fn.Name.Name] = fn
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks {
		if len(a.tests) == 0 {
			t.Errorf("%s (%s) has no test", a.id, a.attack)
		}
		for _, name := range a.tests {
			switch fn := there[name]; {
			case fn == nil:
				t.Errorf("%s (%s) is to be tested by %s, which is not there", a.id, a.attack, name)
			case skipsAll(fn):
				t.Errorf("%s (%s): %s is skipped", a.id, a.attack, name)
			}
		}
	}
}

// skipsAll reports whether a test begins by skipping itself.
func skipsAll(fn *ast.FuncDecl) bool {
	if len(fn.Body.List) == 0 {
		return true
	}
	x, ok := fn.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && strings.HasPrefix(sel.Sel.Name, "Skip")
}
