package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// kinds lists the kinds of spans for the filter.
var kinds = []string{"request", "stage", "round", "builtin", "model", "upstream", "hook", "cut", "reload", "index", "retrieval", "rerank", "compose"}

// sessionBody has the data of a session's page.
type sessionBody struct {
	Row     sessionRow
	Address string
	Filter  filter
	Kinds   []string
	Groups  []group
	Older   string // address of earlier requests
	Newest  string
	Detail  *detail
	Running bool
	Empty   bool // nothing was kept of it
	Tools   usage
	part    part
}

func (d *dash) serveSession(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if d.opt.Timeline == nil {
		d.sendProblem(w, http.StatusNotFound, "No timeline is kept here.", "Start compactor serve, and open the dashboard of that.")
		return
	}
	if name, ok := strings.CutSuffix(id, ".json"); ok {
		d.sendJSON(w, r, name)
		return
	}
	sess, spans, err := d.opt.Timeline.Session(r.Context(), id)
	if err != nil {
		d.sendAbsent(w, id, err)
		return
	}
	for i := range spans {
		if spans[i].ID == "" { // instantaneous events have no id
			spans[i].ID = "at-" + strconv.Itoa(i)
		}
	}
	row := d.newRow(sess)
	b := sessionBody{Row: row, Kinds: kinds, Address: Path + "sessions/" + url.PathEscape(id), Empty: len(spans) == 0,
		Filter: filter{Text: cutText(r.FormValue("q"), maxQuery), Kind: knownKind(r.FormValue("kind")), Failed: r.FormValue("failed") != ""}}
	b.Tools = d.usageOf(sess, spans, d.opt.Source.State(r.Context()).ownTools())
	d.layoutGroups(&b, spans, part{r.FormValue("before"), r.FormValue("of"), atLeast(r.FormValue("from"), 0)}, r.FormValue("span"))
	d.sendPage(w, http.StatusOK, "session", page{Title: row.Title, At: "sessions", Live: b.Address + "/live", Body: b})
}

// sendAbsent reports that a session cannot be read.
func (d *dash) sendAbsent(w http.ResponseWriter, id string, err error) {
	if !errors.Is(err, timeline.ErrUnknown) {
		d.timelineError(w, err)
		return
	}
	d.sendProblem(w, http.StatusNotFound, "There is no session "+d.safeLine(id, 40)+".",
		"It may have been swept by now: sessions are kept for a while, and the newest of them. Begin at the list of sessions.")
}

// knownKind returns kind if it is a known kind of span, or "".
func knownKind(kind string) string {
	if slices.Contains(kinds, kind) {
		return kind
	}
	return ""
}

// kindOf returns the kind of a span as one of our own words.
func kindOf(s *timeline.Span) string { return first(knownKind(s.Kind), "step") }

// part selects the part of a session that a page shows: requests older than a trace, or
// the steps of one trace from a number on.
type part struct {
	before, of string
	from       int
}

// selectFamilies returns the requests in the part.
func (p part) selectFamilies(list []*family) []*family {
	for i, f := range list {
		switch f.traceName() {
		case p.of:
			return list[i : i+1]
		case p.before:
			return list[i+1:]
		}
	}
	return list
}

// traceName identifies a family within its session; it is never empty.
func (f *family) traceName() string { return first(f.all[0].Trace, "none") }

// addressPairs returns the names and values for an address.
func (p part) addressPairs() []string {
	from := ""
	if p.from > 0 {
		from = strconv.Itoa(p.from)
	}
	return []string{"before", p.before, "of", p.of, "from", from}
}

// atLeast parses a number and returns at least least.
func atLeast(text string, least int) int {
	n, _ := strconv.Atoi(text)
	return max(n, least)
}

// layoutGroups lays out the requests, newest first, as many as fit on a page.
func (d *dash) layoutGroups(b *sessionBody, spans []timeline.Span, p part, chosen string) {
	if p.of == "" {
		p.from = 0
	}
	b.part = p
	if p.before != "" || p.of != "" {
		b.Newest = b.addressWith()
	}
	list := p.selectFamilies(families(spans))
	now, rows := d.now(), 0
	for i, f := range list {
		if rows >= maxRows {
			b.Older = b.addressWith("before", list[i-1].traceName())
			break
		}
		g := d.layoutGroup(b, f, now, chosen, p.from)
		b.Running = b.Running || g.Running
		if len(g.Rows) > 0 {
			rows += len(g.Rows)
			b.Groups = append(b.Groups, g)
		}
	}
	for i := range spans {
		if spans[i].ID == chosen && chosen != "" {
			b.Detail = d.detailOf(b, &spans[i], spans)
		}
	}
}

// addressWith returns the address of the page with its filter and further names and values.
func (b *sessionBody) addressWith(more ...string) string {
	failed := ""
	if b.Filter.Failed {
		failed = "1"
	}
	return address(b.Address, append([]string{"q", b.Filter.Text, "kind", b.Filter.Kind, "failed", failed}, more...)...)
}

// addressHere returns the address of the current part of the session, as addressWith does.
func (b *sessionBody) addressHere(more ...string) string {
	return b.addressWith(append(b.part.addressPairs(), more...)...)
}

// layoutGroup lays out one request, with its steps from a number on.
func (d *dash) layoutGroup(b *sessionBody, f *family, now time.Time, chosen string, from int) group {
	began, to, running := f.bounds(now)
	total := max(to.Sub(began), time.Millisecond)
	g := group{Trace: f.all[0].Trace, Started: began, Took: to.Sub(began), Running: running, Ticks: axisTicks(total)}
	g.Title = d.groupTitle(f, &g)
	if passed := f.passedOn(); passed != nil && g.Request {
		by := g.Title
		g.Title, _ = d.spanLabel(passed)
		if !strings.HasSuffix(by, g.Title) { // else it was called by its own name
			g.By = by
		}
		g.Title = d.safeLine(passed.Server, 60) + ": " + g.Title
	}
	hit, context := f.matchingSpans(b.Filter)
	n := 0
	f.walk(func(s *timeline.Span, depth int) {
		if !hit[s] && !context[s] {
			return
		}
		if n++; n <= from {
			return
		}
		if len(g.Rows) == maxRows {
			g.More++
			return
		}
		row := d.spanRow(b, s, depth)
		row.Context, row.Chosen = !hit[s], s.ID == chosen
		row.X, row.W = barPosition(s, began, total, now)
		g.Rows = append(g.Rows, row)
	})
	if g.More > 0 {
		g.Further = b.addressWith("of", f.traceName(), "from", strconv.Itoa(from+maxRows))
	}
	return g
}

// groupTitle returns a title for a request.
func (d *dash) groupTitle(f *family, g *group) string {
	for _, s := range f.roots {
		if s.Kind == "request" {
			g.Request = true
			label, _ := d.spanLabel(s)
			return label
		}
	}
	if f.all[0].Trace != "" {
		label, _ := d.spanLabel(f.all[0])
		return label
	}
	return "Outside of requests"
}

// barPosition returns where the bar of a span begins on its axis, and its length. A span that
// took no time is a line.
func barPosition(s *timeline.Span, from time.Time, total time.Duration, now time.Time) (x, w float64) {
	elapsed := s.Elapsed
	if s.Running {
		elapsed = now.Sub(s.Started)
	}
	at := func(t time.Duration) float64 { return round(float64(max(t, 0)) / float64(total) * wide) }
	x, w = min(at(s.Started.Sub(from)), wide-3), at(elapsed)
	return x, min(max(w, 3), wide-x)
}

func (d *dash) spanRow(b *sessionBody, s *timeline.Span, depth int) spanRow {
	row := spanRow{Span: *s, Anchor: "span-" + url.PathEscape(s.ID), Depth: min(depth, maxDepth), Failed: isFailed(s), Skipped: s.Outcome == "skipped",
		Address: b.addressHere("span", s.ID) + "#detail"}
	row.Kind = kindOf(s)
	row.Label, row.Detail = d.spanLabel(s)
	row.Outcome, row.Code, row.Purpose = d.safeLine(s.Outcome, 40), d.safeLine(s.Code, 60), d.safeLine(s.Purpose, 40)
	row.Cause = d.causeOf(s, 240)
	row.Given = d.summaryOf(b, s)
	return row
}

// causeOf returns why a span failed. A tool that itself reports a failure tells the reason
// to the client only.
func (d *dash) causeOf(s *timeline.Span, most int) string {
	switch {
	case s.Error != "":
		return d.safeLine(s.Error, most)
	case isFailed(s) && s.Kind == "upstream" && s.Code == "":
		return "the tool itself reports an error; its words went to the client"
	}
	return ""
}

// callsTool is the method name of requests that call a tool.
const callsTool = "tools/call"

// spanLabel returns a name for a span, and further information.
func (d *dash) spanLabel(s *timeline.Span) (label, more string) {
	name := d.safeLine(s.Name, shortText)
	switch s.Kind {
	case "upstream":
		if s.Tool != "" {
			return d.safeLine(s.Tool, shortText), "at " + d.safeLine(s.Server, 60)
		}
		return first(name, d.safeLine(s.Message, shortText), "server"), d.safeLine(s.Server, 60)
	case "request":
		if s.Tool != "" {
			if s.Name == callsTool { // the usual case, not worth repeating
				name = ""
			}
			return d.safeLine(s.Tool, shortText), name
		}
	case "stage":
		return first(d.safeLine(s.Stage, shortText), name, "stage"), d.safeLine(s.Role, 60)
	case "round":
		return "#" + d.safeLine(s.Attrs["round"], 20), d.describeRound(s.Attrs)
	case "model":
		return first(name, "model"), d.safeLine(s.Role, 60)
	case "retrieval", "compose":
		return first(name, s.Kind), d.safeLine(s.Attrs["query"], shortText)
	}
	return first(name, d.safeLine(s.Message, shortText), d.safeLine(s.Tool, shortText), kindOf(s)), d.safeLine(s.Role, 60)
}

// describeRound returns what a round gained, and why there was no further one.
func (d *dash) describeRound(attrs map[string]string) string {
	parts := []string{d.safeLine(attrs["ended"], 60)}
	if gain := attrs["gain"]; gain != "" {
		parts = append(parts, "gain "+d.safeLine(gain, 20))
	}
	return strings.Trim(strings.Join(parts, ", "), ", ")
}

// first returns the first non-empty text.
func first(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
