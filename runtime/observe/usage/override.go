package usage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// marksEvery is how often marks are read that another process may have made.
const marksEvery = 5 * time.Second

// Reasons for which a mark cannot be kept.
var (
	ErrNotKept  = errors.New("nothing of the use of tools is kept: usage is off, or store.url is none")
	ErrNoClient = errors.New("nothing is kept of clients (usage.clients is none): mark the tool for all of them")
)

// Override keeps that a tool ("server/tool") is relevant to the sessions of a profile, or
// that it is not; nil takes back what was said. client is a name as the client says it,
// and "" means all clients of the profile. It returns when it is kept, and acts at once.
func (t *Tracker) Override(ctx context.Context, profile, client, tool string, relevant *bool) error {
	set := t.opt.Settings()
	if set.Off {
		return ErrNotKept
	}
	if client != "" && set.Clients == None {
		return ErrNoClient
	}
	t.writing.Lock()
	defer t.writing.Unlock()
	log := t.opening(ctx)
	if log == nil {
		return cmp.Or(t.Broken(), ErrNotKept)
	}
	m := Mark{Profile: profile, Client: t.kept(client), Tool: tool, At: t.opt.Now().UTC()}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if err := log.Mark(ctx, m, relevant); err != nil {
		return err
	}
	return t.readMarks(ctx)
}

// Marks are what people said of tools, those of one client after those of all.
func (t *Tracker) Marks() []Mark {
	if list := t.marks.Load(); list != nil {
		return *list
	}
	return nil
}

// Has reports whether something was said of a tool ("server/tool") for this client of a
// profile.
func (t *Tracker) Has(ctx context.Context, profile, client, tool string) bool {
	t.writing.Lock()
	defer t.writing.Unlock()
	if t.opening(ctx) == nil || t.readMarks(ctx) != nil {
		return false
	}
	return slices.ContainsFunc(t.Marks(), func(m Mark) bool { return m.Profile == profile && m.Client == t.kept(client) && m.Tool == tool })
}

// Feedback is what holds for a client of a profile, by "server/tool": what was said for
// it alone, over what was said for all.
func (t *Tracker) Feedback(profile, client string) map[string]bool {
	list := t.Marks()
	if len(list) == 0 {
		return nil
	}
	return FeedbackOf(list, profile, t.kept(client))
}

// Marked has fn called when what people said may be other than before, on a goroutine of
// the tracker's.
func (t *Tracker) Marked(fn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marking = append(t.marking, fn)
}

// readMarks takes what the log has. writing is held.
func (t *Tracker) readMarks(ctx context.Context) error {
	t.marksRead = t.opt.Now()
	list, err := t.log.Marks(ctx)
	if err != nil || slices.Equal(list, t.Marks()) {
		return err
	}
	t.marks.Store(&list)
	t.mu.Lock()
	told := slices.Clone(t.marking)
	t.mu.Unlock()
	for _, fn := range told {
		fn()
	}
	return nil
}

// refreshMarks reads what another process may have said meanwhile.
func (t *Tracker) refreshMarks() {
	t.writing.Lock()
	defer t.writing.Unlock()
	if t.log == nil || t.opt.Now().Sub(t.marksRead) < marksEvery {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	_ = t.readMarks(ctx) // what was read before holds on
}

// FeedbackOf is what marks say for a profile, as of a client that is written as marks have
// it: for who reads a log without a tracker.
func FeedbackOf(marks []Mark, profile, client string) map[string]bool {
	out := map[string]bool{}
	for _, of := range slices.Compact([]string{"", client}) {
		for _, m := range marks {
			if m.Profile == profile && m.Client == of {
				out[m.Tool] = m.Relevant
			}
		}
	}
	return out
}
