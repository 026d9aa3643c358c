package explain

import (
	"context"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Of a note the sentences that decide, bind or ask are findings, each with its line,
// where they are wanted.
func TestDecisionsOfANote(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"pool.md": `# Worker pool

The pool bounds workers.

## One pool

There is one pool. We decided so because two starve each other. It is small.
- it must refuse work when closed
- it has a name

## Open

- Should it have a priority?
- Nothing else.

## Chosen

We chose a channel.
`})
	for _, c := range []struct {
		at   string
		ask  bool
		want []string
	}{
		{"pool.md:5", true, []string{"We decided so because two starve each other (pool.md:7)", "it must refuse work when closed (pool.md:8)"}},
		{"pool.md:11", true, []string{"Should it have a priority? (pool.md:13)"}},
		{"pool.md:16", true, nil}, // the summary has it
		{"pool.md:1", true, nil},
		{"pool.md:5", false, nil},
	} {
		res, err := analyze(context.Background(), env, AnalyzeInput{Reference: c.at, Decisions: c.ask, Most: 4})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range res.KeyFindings {
			got = append(got, f.Text)
		}
		if !slices.Equal(got, c.want) || res.Confidence != contract.High {
			t.Errorf("%s: %q, want %q", c.at, got, c.want)
		}
	}
}
