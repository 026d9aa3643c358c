package bench

import (
	"fmt"
	"io"
)

// Text writes a report for people.
func Text(w io.Writer, r *Report) error {
	p := printer{w: w}
	p.line("tree       %d files, %s", r.Files, formatMiB(r.Bytes))
	p.line("asked      %d questions, each in %d rounds", len(r.Questions), r.Rounds)
	for _, q := range r.Questions {
		p.line("             %s", q)
	}
	p.line("")
	p.line("%-34s %19s %19s", "in milliseconds", "CPU p50       p95", "wall p50       p95")
	p.printCost("without a cache", r.Without)
	p.printCost("the first question, which fills it", r.First)
	p.printCost("the second, a different one", r.Second)
	p.printCost("later ones, all different", r.Later)
	p.line("")
	p.line("saves      of the CPU without a cache the first question takes %.2f, the second %.2f, a later one %.2f", r.FirstShare, r.SecondShare, r.LaterShare)
	p.line("cache      %s of %s in %d entries, %.0f %% of looks hit; heap %s", formatMiB(r.Cache.Bytes), formatMiB(r.Cache.Max), r.Cache.Entries, 100*r.Cache.HitRate, formatMiB(r.Heap))
	if g := r.Ripgrep; g != nil {
		p.line("ripgrep    %.1f ms of CPU for one scan: without a cache %.2f times that, the second %.2f, a later one %.2f", g.CPU.P50, g.Without, g.Second, g.Later)
	}
	if len(r.Differ) == 0 {
		p.line("replies    the same bytes with and without the cache")
	}
	for _, q := range r.Differ {
		p.line("replies    NOT THE SAME with and without the cache: %s", q)
	}
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) printCost(name string, c Cost) {
	p.printRow(name, c.CPU, c.Wall)
	for _, part := range c.order {
		p.printRow("  "+part, c.Parts[part].CPU, c.Parts[part].Wall)
	}
}

func (p *printer) printRow(name string, cpu, wall Spread) {
	p.line("%-34s %9.1f %9.1f %9.1f %9.1f", name, cpu.P50, cpu.P95, wall.P50, wall.P95)
}

// formatMiB formats a number of bytes in MiB (units of 1024).
func formatMiB(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
