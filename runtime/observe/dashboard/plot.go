package dashboard

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Sizes of the plot, in its own units.
const (
	plotWidth  = 760
	plotHeight = 216
	plotLeft   = 56
	plotTop    = 28
	plotBottom = 188 // of the bars
	plotUnit   = 12  // position of the axis unit
	markRoom   = 20  // half of the width of a mark's text
)

// plot shows the savings of summaries as bars: the tokens given, and above them the tokens saved.
type plot struct {
	Width, Height     int
	Left, Right, Base int
	Top, Tick         int // of the unit, and the end of a mark
	Bars              []bar
	Lines             []gridline
	Marks             []mark
	Saved, Original   int
	Given             int
	Results           int
	Show              string
}

type bar struct {
	X, Width               float64
	GivenY, GivenHeight    float64
	SavedY, SavedHeight    float64
	From                   time.Time
	Original, Given, Saved int
	Results                int
}

type gridline struct {
	Y     float64
	Label string
}

type mark struct {
	X  float64
	At time.Time
}

// newPlot lays the steps out. It returns nil if there are no results.
func newPlot(list []timeline.Saving, since, now time.Time, p period) *plot {
	out := &plot{Width: plotWidth, Height: plotHeight, Left: plotLeft, Right: plotWidth - 4, Base: plotBottom, Top: plotUnit, Tick: plotBottom + 5, Show: p.show}
	highest := 0
	for _, s := range list {
		out.Original += s.Original
		out.Given += s.Given
		out.Saved += max(s.Original-s.Given, 0)
		out.Results += s.Results
		highest = max(highest, s.Original, s.Given)
	}
	if out.Results == 0 || highest == 0 {
		return nil
	}
	top, step := scale(highest)
	height := func(n int) float64 { return round(float64(n) / float64(top) * (plotBottom - plotTop)) }
	for v := 0; v <= top; v += step {
		out.Lines = append(out.Lines, gridline{round(plotBottom - height(v)), short(v)})
	}
	room := float64(out.Right - out.Left)
	x := func(t time.Time) float64 {
		return round(float64(out.Left) + room*float64(t.Sub(since))/float64(now.Sub(since)))
	}
	width := max(room*float64(p.step)/float64(p.last)-2, 1)
	for _, s := range list {
		if s.Results == 0 || s.From.Before(since.Add(-p.step)) || s.From.After(now) {
			continue
		}
		saved := max(s.Original-s.Given, 0)
		b := bar{X: max(x(s.From), float64(out.Left)), Width: round(width), From: s.From, Original: s.Original, Given: s.Given, Saved: saved, Results: s.Results}
		b.X = min(b.X, float64(out.Right)-b.Width)
		b.GivenHeight, b.SavedHeight = height(s.Given), height(saved)
		b.GivenY = round(plotBottom - b.GivenHeight)
		b.SavedY = round(b.GivenY - b.SavedHeight)
		out.Bars = append(out.Bars, b)
	}
	for at := now.Truncate(p.mark); at.After(since); at = at.Add(-p.mark) {
		if at := (mark{x(at), at}); at.X < float64(out.Right)-markRoom { // otherwise its text would be cut off
			out.Marks = append(out.Marks, at)
		}
	}
	return out
}

// scale returns a round number that is at least n, and the step of its grid lines.
func scale(n int) (top, step int) {
	for unit := 1; ; unit *= 10 {
		for _, f := range []int{1, 2, 5} {
			if step = f * unit; step*4 >= n {
				return step * ((n + step - 1) / step), step
			}
		}
	}
}

// short formats a number for an axis.
func short(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return formatCount(n/1_000_000) + "M"
	case n >= 1000 && n%1000 == 0:
		return formatCount(n/1000) + "k"
	}
	return formatCount(n)
}

func round(f float64) float64 { return float64(int(f*10+0.5)) / 10 }
