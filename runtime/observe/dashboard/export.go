package dashboard

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// exported is a session as other programs read it.
type exported struct {
	Session timeline.Session `json:"session"`
	Spans   []timeline.Span  `json:"spans"`
}

// sendJSON sends a session as JSON.
func (d *dash) sendJSON(w http.ResponseWriter, r *http.Request, id string) {
	sess, spans, err := d.opt.Timeline.Session(r.Context(), id)
	if err != nil {
		d.sendAbsent(w, id, err)
		return
	}
	mask := d.opt.Source.Mask
	sess.Title, sess.Client = mask(sess.Title), mask(sess.Client)
	sess.Shown = slices.Clone(sess.Shown) // shared with the timeline
	for i, name := range sess.Shown {
		sess.Shown[i] = mask(name)
	}
	out := exported{sess, make([]timeline.Span, len(spans))}
	for i, s := range spans {
		for _, text := range []*string{&s.Trace, &s.ID, &s.Parent, &s.Kind, &s.Purpose, &s.Name, &s.Stage, &s.Role, &s.Server, &s.Tool, &s.Outcome, &s.Code, &s.Message, &s.Error} {
			*text = mask(*text)
		}
		attrs := make(map[string]string, len(s.Attrs))
		for _, name := range s.PublicAttrs() {
			attrs[mask(name)] = mask(s.Attrs[name])
		}
		s.Attrs = attrs
		out.Spans[i] = s
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="`+fileName(id)+`"`)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(out) // the client may have disconnected
}

// fileName returns a file name for a session, from the characters of its id that are safe in a name.
func fileName(id string) string {
	out := []byte("session-")
	for i := range min(len(id), 64) {
		if c := id[i]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_' {
			out = append(out, c)
		}
	}
	return string(out) + ".json"
}
