package dashboard

import (
	"fmt"
	"net/http"
	"time"
)

const (
	// restless is the minimum time between two events to a page: it reloads its contents
	// at each.
	restless = 400 * time.Millisecond
	beat     = 20 * time.Second
)

// serveLive notifies a page about news of one session, or of all, by server-sent events.
func (d *dash) serveLive(w http.ResponseWriter, r *http.Request) {
	if d.opt.Timeline == nil {
		http.Error(w, "no timeline is kept here", http.StatusNotFound)
		return
	}
	select {
	case d.streams <- struct{}{}:
		defer func() { <-d.streams }()
	default:
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many pages are kept fresh; close some, or reload this one by hand", http.StatusServiceUnavailable)
		return
	}
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	spans := d.opt.Timeline.Watch(r.Context(), r.PathValue("id"))
	// Events between the rendering of the page and here are news to it too.
	if _, err := fmt.Fprint(w, "retry: 2000\nevent: open\ndata: {}\n\nevent: change\ndata: {}\n\n"); err != nil || out.Flush() != nil {
		return
	}
	alive := time.NewTicker(beat)
	defer alive.Stop()
	var due <-chan time.Time
	for {
		text := ": still here\n\n"
		select {
		case <-r.Context().Done():
			return
		case _, ok := <-spans:
			if !ok {
				return
			}
			if due == nil {
				due = time.After(restless)
			}
			continue
		case <-due:
			due, text = nil, "event: change\ndata: {}\n\n"
		case <-alive.C:
		}
		if _, err := fmt.Fprint(w, text); err != nil || out.Flush() != nil {
			return
		}
	}
}
