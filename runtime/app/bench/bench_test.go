package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/bench"
	"github.com/compactor-mcp/compactor/runtime/app/service"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree is a service with a cache over some files.
func tree(t testing.TB, files int) *service.Service {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("package lever\n\n// Lever%d opens the valve of the pump when the pressure falls\nfunc TurnLever%d() {}\n", i, i) +
			strings.Repeat("\n// Filler about somethingElse, which nobody asks for.\nvar filler_value = computeFiller(41)\n", 60)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	snap, diags, err := service.Load(t.Context(), service.Options{Defaults: compactor.Defaults, Work: dir, Builtins: builtins.All,
		Roots: map[string][]string{"code": {dir}}, Cache: true, Memory: 64 << 20})
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	t.Cleanup(func() { _ = snap.Close() })
	return service.New(snap)
}

func TestReportIsWhole(t *testing.T) {
	svc := tree(t, 20)
	r, err := bench.Run(t.Context(), svc, bench.Options{Rounds: 2, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 20 || r.Bytes < 20*1000 || len(r.Questions) != 12 || len(r.Differ) != 0 {
		t.Errorf("%+v", r)
	}
	for name, c := range map[string]bench.Cost{"without": r.Without, "first": r.First, "second": r.Second, "later": r.Later} {
		sum := 0.0
		for _, p := range c.Parts {
			sum += p.Wall.P95
		}
		if len(c.Parts) != 5 || c.Wall.P50 <= 0 || c.Wall.P95 < c.Wall.P50 || sum < c.Wall.P50/2 { // medians of parts need not add up to that of the whole
			t.Errorf("%s: %+v", name, c)
		}
	}
	again, err := bench.Run(t.Context(), svc, bench.Options{Rounds: 1, Seed: 3})
	if err != nil || !slices.Equal(again.Questions, r.Questions) {
		t.Errorf("the same seed gave %q, then %q, %v", r.Questions, again.Questions, err)
	}
	var text bytes.Buffer
	if err := bench.Text(&text, r); err != nil || !strings.Contains(text.String(), "the same bytes") {
		t.Errorf("%v\n%s", err, text.String())
	}
	r.Differ = []string{"where?"}
	text.Reset()
	if err := bench.Text(&text, r); err != nil || !strings.Contains(text.String(), "NOT THE SAME") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

func TestNothingToAsk(t *testing.T) {
	if _, err := bench.Run(t.Context(), tree(t, 0), bench.Options{}); err == nil || !strings.Contains(err.Error(), "--question") {
		t.Errorf("an empty tree: %v", err)
	}
}

// BenchmarkSecondQuestion reports what a question costs in CPU with a filled
// cache, as a share of what it costs without.
func BenchmarkSecondQuestion(b *testing.B) {
	svc := tree(b, 500)
	for b.Loop() {
		r, err := bench.Run(b.Context(), svc, bench.Options{Rounds: 2, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(r.FirstShare, "first/without")
		b.ReportMetric(r.SecondShare, "second/without")
		b.ReportMetric(r.LaterShare, "later/without")
	}
}
