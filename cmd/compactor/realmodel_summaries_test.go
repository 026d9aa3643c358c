package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/text/compact"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

// TestRealModelSummaries has real models word what real programs printed. However
// little a model can do, the summary is what the structure alone gives, behind words
// that the text bears out.
func TestRealModelSummaries(t *testing.T) {
	const most = 500
	without := realService(t, `models: default: {provider: "openai", url: "http://127.0.0.1:9/v1"}`) // nobody is there
	for i, pair := range modeltest.All(t) {
		names := []string{"log_dpkg", "tests_go", "json_records", "markdown_security"}
		if i > 0 {
			names = names[:1]
		}
		t.Run(pair.String(), func(t *testing.T) {
			svc := realService(t, realConfig(pair.Start(t, modeltest.Options{Window: 4096})))
			for _, name := range names {
				printed, err := os.ReadFile(filepath.Join("../../builtins/text/compact/testdata", name+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				p := service.Printed{Text: string(printed), Tool: name, Task: "what went wrong?", Most: most}
				plain, ok := without.Word(t.Context(), p)
				if !ok || plain.By != byStructure {
					t.Fatalf("%s: %v %+v", name, ok, plain)
				}
				start := time.Now()
				got, ok := svc.Word(t.Context(), p)
				t.Logf("%-20s %5.1f s by %s: %s", name, time.Since(start).Seconds(), got.By, got.Said)
				if behind := strings.TrimPrefix(strings.TrimPrefix(got.Text, got.Said), "\n"); !ok || behind != plain.Text || tokens.Count(got.Text) > most {
					t.Errorf("%s: %d tokens\n%s\nwithout a model:\n%s", name, tokens.Count(got.Text), got.Text, plain.Text)
				}
				if foreign := compact.Faithful(string(printed), got.Said); len(foreign) > 0 {
					t.Errorf("%s: %q is not in the text", got.Said, foreign)
				}
			}
		})
	}
}
