package main

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/summaries"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

// TestRealModelNeverCostsWhatIsNeeded has real models word results whose identifiers
// later calls needed, through the pipeline that serve runs. However little a model can
// do, no summary with its words keeps less than the one without. It logs how long that
// takes, and how often something that a model said holds.
//
//	COMPACTOR_TOOLSUM          directory with cases.jsonl; ../shared/bench/toolsum beside the project
//	COMPACTOR_SUMMARIES_CASES  cases of each kind; 1
//	COMPACTOR_SUMMARIES_AT     budget in tokens; 1000, or all for 500, 1000 and 2000
func TestRealModelNeverCostsWhatIsNeeded(t *testing.T) {
	pairs := modeltest.All(t)
	each, _ := strconv.Atoi(cmp.Or(os.Getenv("COMPACTOR_SUMMARIES_CASES"), "1"))
	budgets := []int{500, 1000, 2000}
	if at, err := strconv.Atoi(cmp.Or(os.Getenv("COMPACTOR_SUMMARIES_AT"), "1000")); err == nil {
		budgets = []int{at}
	}
	cases := neededCases(t, each)
	without := realService(t, "")
	for _, pair := range pairs {
		t.Run(pair.String(), func(t *testing.T) {
			svc := realService(t, realConfig(pair.Start(t, modeltest.Options{Window: 4096}))+patientWords)
			var took []float64
			held, all := 0, 0
			for _, c := range cases {
				for _, budget := range budgets {
					if !c.Counts(budget) {
						continue
					}
					plain, ok := without.Served(t.Context(), printedCase(t, without, c, budget))
					if !ok {
						t.Fatalf("%s at %d: nothing is made of it", c.ID, budget)
					}
					start := time.Now()
					got, ok := svc.Served(context.WithoutCancel(t.Context()), printedCase(t, svc, c, budget))
					took = append(took, time.Since(start).Seconds())
					all++
					if got.Said != "" {
						held++
						t.Logf("%s %s at %d: %s", c.Kind, c.ID, budget, got.Said)
					}
					with, before := summaries.Score(c, got.Text, budget), summaries.Score(c, plain.Text, budget)
					if !ok || with.Anch < before.Anch || with.Kept < before.Kept || len(with.Foreign) > len(before.Foreign) {
						t.Errorf("%s %s at %d: %d of %d with the model, %d without; not in the result: %q\n%s", c.Kind, c.ID, budget, with.Anch, len(c.Needed), before.Anch, with.Foreign, got.Said)
					}
				}
			}
			slices.Sort(took)
			t.Logf("%d summaries of %d results: words of the model hold in %d (%d %%); seconds min %.1f, median %.1f, max %.1f",
				all, len(cases), held, 100*held/max(1, all), took[0], took[len(took)/2], took[len(took)-1])
		})
	}
}

// patientWords gives a model on a busy machine the time it needs.
const patientWords = `
roles: summarizer: budget: time: "100s"
pipelines: summarize_result: budget: time: "120s"
`

// neededCases are the first so many results of each kind that count at 1,000 tokens: of
// the benchmark where that is at hand, else what real programs printed.
func neededCases(t *testing.T, each int) (out []summaries.Case) {
	t.Helper()
	file, err := os.Open(filepath.Join(cmp.Or(os.Getenv("COMPACTOR_TOOLSUM"), "../../../shared/bench/toolsum"), "cases.jsonl"))
	if err != nil {
		t.Log("the results are those of builtins/text/compact: ", err)
		for _, name := range []string{"json_records", "log_dpkg", "markdown_security"} {
			text, err := os.ReadFile(filepath.Join("../../builtins/text/compact/testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, summaries.Case{ID: name, Kind: name, Result: string(text)})
		}
		return out
	}
	defer file.Close()
	all, err := summaries.ReadCases(file, file.Name())
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]int{}
	for _, c := range all {
		if c.Counts(1000) && taken[c.Kind] < each {
			taken[c.Kind]++
			out = append(out, c)
		}
	}
	return out
}

// printedCase is a case as the pipeline takes it.
func printedCase(t *testing.T, svc *service.Service, c summaries.Case, budget int) service.Printed {
	t.Helper()
	var about summaryContext
	raw, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(raw, &about)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := svc.Snapshot().Redactor
	masked, _ := r.Redact(c.Result)
	return about.toPrinted(r, masked, budget)
}
