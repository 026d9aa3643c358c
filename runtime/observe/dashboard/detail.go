package dashboard

import (
	"maps"
	"net/url"
	"slices"
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

// given returns the summary of an upstream call.
func (d *dash) given(b *sessionBody, s *timeline.Span) *given {
	id := s.Attrs["result"]
	if id == "" {
		return nil
	}
	g := &given{ID: cutText(id, 80), By: d.line(s.Attrs["by"], 60), Address: b.Address + "/results/" + url.PathEscape(id)}
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

// detail collects everything known about a span.
func (d *dash) detail(b *sessionBody, s *timeline.Span, all []timeline.Span) *detail {
	out := &detail{Kind: kindOf(s), Failed: failed(s), Started: s.Started, Running: s.Running, Given: d.given(b, s), Close: b.here(),
		Row: "span-" + url.PathEscape(s.ID), Error: d.cause(s, longText), Code: d.line(s.Code, 100), Message: d.line(s.Message, longText)}
	out.Label, _ = d.label(s)
	add := func(name, value string) {
		if value != "" {
			out.Facts = append(out.Facts, fact{name, value})
		}
	}
	number := func(name string, n int) {
		if n != 0 {
			add(name, count(n))
		}
	}
	add("Outcome", d.line(s.Outcome, 100))
	add("Purpose", d.line(s.Purpose, 100))
	if !s.Running {
		add("Took", took(s.Elapsed))
	}
	add("Name", d.line(s.Name, 512))
	add("Stage", d.line(s.Stage, 512))
	add("Role", d.line(s.Role, 512))
	add("Server", d.line(s.Server, 512))
	add("Tool", d.line(s.Tool, 512))
	number("Tokens in", s.In)
	number("Tokens out", s.Out)
	number("Bytes", s.Bytes)
	for i, name := range slices.Sorted(maps.Keys(s.Attrs)) {
		if i == maxFacts {
			break
		}
		add(named(d.line(name, 60)), d.line(s.Attrs[name], 512))
	}
	add("Trace", d.line(s.Trace, 64))
	add("Call", d.line(s.ID, 64))
	d.links(b, s, all, out)
	return out
}

// named converts the name of an attribute to a label: "original_tokens" becomes "Original tokens".
func named(name string) string {
	r := []rune(strings.ReplaceAll(name, "_", " "))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// links adds the cause of a span, and its effects.
func (d *dash) links(b *sessionBody, s *timeline.Span, all []timeline.Span, out *detail) {
	const most = 20
	to := func(x *timeline.Span) link {
		label, more := d.label(x)
		if more != "" {
			label += " " + more
		}
		return link{kindOf(x) + ": " + label, b.here("span", x.ID) + "#detail"}
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
