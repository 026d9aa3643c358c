package dashboard

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

const (
	previewBytes = 1200
	maxFacts     = 40
)

// detail is everything known about one span.
type detail struct {
	Label   string
	Kind    string
	Failed  bool
	Error   string
	Code    string
	Message string
	Started time.Time
	Facts   []fact
	Given   *given
	Caused  []link // its effects
	Cause   *link
	Close   string
	Row     string // id of its row
	Running bool
}

type fact struct{ Name, Value string }

type link struct{ Label, Address string }

// given is the summary sent in place of a result.
type given struct {
	ID       string
	Address  string
	By       string
	Original int
	Summary  int
	Text     string // the beginning of the summary, if it is kept
	Left     int    // bytes of it that are not shown
	Gone     bool
	Paged    bool // cut into pages, not summarized
}

// summaryOf returns the summary of an upstream call.
func (d *dash) summaryOf(b *sessionBody, s *timeline.Span) *given {
	id := s.Attrs["result"]
	if id == "" {
		return nil
	}
	g := &given{ID: cutText(id, 80), By: d.safeLine(s.Attrs["by"], 60), Address: b.Address + "/results/" + url.PathEscape(id)}
	g.Original, _ = strconv.Atoi(s.Attrs["original_tokens"])
	g.Summary, _ = strconv.Atoi(s.Attrs["summary_tokens"])
	g.Paged = s.Attrs["summary_tokens"] == ""
	kept, ok := d.opt.Source.Kept(id)
	if !ok {
		g.Gone = true
		return g
	}
	if len(kept.Summary) == 0 {
		return g
	}
	g.Text, g.Left = block(d.opt.Source.Mask(contentText(kept.Summary)), previewBytes)
	return g
}

// detailOf collects everything known about a span.
func (d *dash) detailOf(b *sessionBody, s *timeline.Span, all []timeline.Span) *detail {
	out := &detail{Kind: kindOf(s), Failed: isFailed(s), Started: s.Started, Running: s.Running, Given: d.summaryOf(b, s), Close: b.addressHere(),
		Row: "span-" + url.PathEscape(s.ID), Error: d.causeOf(s, longText), Code: d.safeLine(s.Code, 100), Message: d.safeLine(s.Message, longText)}
	out.Label, _ = d.spanLabel(s)
	add := func(name, value string) {
		if value != "" {
			out.Facts = append(out.Facts, fact{name, value})
		}
	}
	number := func(name string, n int) {
		if n != 0 {
			add(name, formatCount(n))
		}
	}
	add("Outcome", d.safeLine(s.Outcome, 100))
	add("Purpose", d.safeLine(s.Purpose, 100))
	if !s.Running {
		add("Took", formatDuration(s.Elapsed))
	}
	add("Name", d.safeLine(s.Name, 512))
	add("Stage", d.safeLine(s.Stage, 512))
	add("Role", d.safeLine(s.Role, 512))
	add("Server", d.safeLine(s.Server, 512))
	add("Tool", d.safeLine(s.Tool, 512))
	number("Tokens in", s.In)
	number("Tokens out", s.Out)
	number("Bytes", s.Bytes)
	for i, name := range s.PublicAttrs() {
		if i == maxFacts {
			break
		}
		add(labelOf(d.safeLine(name, 60)), d.safeLine(s.Attrs[name], 512))
	}
	add("Trace", d.safeLine(s.Trace, 64))
	add("Call", d.safeLine(s.ID, 64))
	d.addLinks(b, s, all, out)
	return out
}

// labelOf converts the name of an attribute to a label: "original_tokens" becomes "Original tokens".
func labelOf(name string) string {
	r := []rune(strings.ReplaceAll(name, "_", " "))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// addLinks adds the cause of a span, and its effects.
func (d *dash) addLinks(b *sessionBody, s *timeline.Span, all []timeline.Span, out *detail) {
	const most = 20
	to := func(x *timeline.Span) link {
		label, more := d.spanLabel(x)
		if more != "" {
			label += " " + more
		}
		return link{kindOf(x) + ": " + label, b.addressHere("span", x.ID) + "#detail"}
	}
	for i := range all {
		x := &all[i]
		switch {
		case x.Trace != s.Trace || x.ID == s.ID:
		case x.ID == s.Parent:
			l := to(x)
			out.Cause = &l
		case x.Parent == s.ID && s.ID != "" && len(out.Caused) < most:
			out.Caused = append(out.Caused, to(x))
		}
	}
}
