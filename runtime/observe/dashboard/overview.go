package dashboard

import (
	"net/http"
	"net/url"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

const (
	pageSize  = 25
	maxSummed = 1000 // sessions included in totals
	maxQuery  = 200  // characters of a query
)

// period is a length of time that the overview covers.
type period struct {
	Key, Name string
	last      time.Duration
	step      time.Duration
	mark      time.Duration // between the time labels below the plot
	show      string        // how the script formats a step
}

var periods = []period{
	{"24h", "24 hours", 24 * time.Hour, time.Hour, 4 * time.Hour, "hour"},
	{"7d", "7 days", 7 * 24 * time.Hour, 6 * time.Hour, 24 * time.Hour, "day"},
	{"30d", "30 days", 30 * 24 * time.Hour, 24 * time.Hour, 5 * 24 * time.Hour, "day"},
}

// overviewBody has the data of the overview.
type overviewBody struct {
	Query    string
	Periods  []choice
	Period   string
	Totals   totals
	Cut      bool // the totals cover only the newest sessions
	Plot     *plot
	Sessions []sessionRow
	Older    string // address of the next page
	Newest   string // address of the first page, if this is another
	Kept     bool   // whether a timeline is kept at all
	Unkept   string // why it will not outlive the server
}

type choice struct {
	Name, Address string
	Chosen        bool
}

type totals struct{ Sessions, Requests, Models, Upstream, Failed, In, Out, Saved int }

type sessionRow struct {
	timeline.Session
	Title, Client string
	Took          time.Duration
}

func (d *dash) serveOverview(w http.ResponseWriter, r *http.Request) {
	b := overviewBody{Query: cutText(r.FormValue("q"), maxQuery), Kept: d.opt.Timeline != nil}
	if d.opt.Unkept != nil {
		b.Unkept = d.safeLine(d.opt.Unkept(), 600)
	}
	p := page{Title: "Sessions", At: "sessions", Live: Path + "live"}
	chosen := chosenPeriod(r.FormValue("period"))
	b.Period = chosen.Name
	for _, x := range periods {
		b.Periods = append(b.Periods, choice{x.Name, address(Path, "q", b.Query, "period", x.Key), x.Key == chosen.Key})
	}
	if b.Kept {
		if err := d.overviewOf(r, &b, chosen); err != nil {
			d.timelineError(w, err)
			return
		}
	} else {
		p.Live = ""
	}
	p.Body = b
	d.sendPage(w, http.StatusOK, "overview", p)
}

// overviewOf reads the data of the overview.
func (d *dash) overviewOf(r *http.Request, b *overviewBody, chosen period) error {
	ctx, now := r.Context(), d.now()
	since := now.Add(-chosen.last)
	after := r.FormValue("after")
	list, err := d.opt.Timeline.Sessions(ctx, timeline.Query{Text: b.Query, Limit: pageSize + 1, After: after})
	if err != nil {
		return err
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		b.Older = address(Path, "q", b.Query, "period", chosen.Key, "after", list[len(list)-1].ID)
	}
	if after != "" {
		b.Newest = address(Path, "q", b.Query, "period", chosen.Key)
	}
	for _, s := range list {
		b.Sessions = append(b.Sessions, d.newRow(s))
	}
	summed, err := d.opt.Timeline.Sessions(ctx, timeline.Query{Text: b.Query, Since: since, Limit: maxSummed})
	if err != nil {
		return err
	}
	b.Totals, b.Cut = sum(summed), len(summed) == maxSummed
	savings, err := d.opt.Timeline.Savings(ctx, since, chosen.step)
	if err != nil {
		return err
	}
	b.Plot = newPlot(savings, since, now, chosen)
	return nil
}

func (d *dash) newRow(s timeline.Session) sessionRow {
	row := sessionRow{Session: s, Title: d.safeLine(s.Title, shortText), Client: d.safeLine(s.Client, 60), Took: s.Last.Sub(s.Started)}
	if row.Title == "" {
		row.Title = "Session " + cutText(s.ID, 20)
	}
	return row
}

func sum(list []timeline.Session) (t totals) {
	t.Sessions = len(list)
	for _, s := range list {
		t.Requests += s.Requests
		t.Models += s.Models
		t.Upstream += s.Upstream
		t.Failed += s.Failed
		t.In += s.TokensIn
		t.Out += s.TokensTo
		t.Saved += s.Saved
	}
	return t
}

func chosenPeriod(key string) period {
	for _, p := range periods {
		if p.Key == key {
			return p
		}
	}
	return periods[1]
}

// address returns the address of a page with query parameters; empty values are left out.
func address(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// cutText returns the beginning of a text that a reader typed.
func cutText(text string, most int) string {
	r := []rune(text)
	return string(r[:min(len(r), most)])
}
