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

// Reasons why a mark cannot be kept.
var (
	ErrNotKept  = errors.New("nothing of the use of tools is kept: usage is off, or store.url is none")
	ErrNoClient = errors.New("nothing is kept of clients (usage.clients is none): mark the tool for all of them")
)

// Override records that a tool ("server/tool") is relevant to the sessions of a profile, or that it is not;
// nil removes the mark. client is the name that a client reports, and "" means all clients of the profile.
// It returns when the mark is kept, and takes effect at once.
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
	log := t.openOnce(ctx)
	if log == nil {
		return cmp.Or(t.Broken(), ErrNotKept)
	}
	m := Mark{Profile: profile, Client: t.storedClient(client), Tool: tool, At: t.opt.Now().UTC()}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	if err := log.Mark(ctx, m, relevant); err != nil {
		return err
	}
	return t.readMarks(ctx)
}

// Marks returns people's marks of tools, those for one client after those for all.
func (t *Tracker) Marks() []Mark {
	if list := t.marks.Load(); list != nil {
		return *list
	}
	return nil
}

// Has reports whether there is a mark of a tool ("server/tool") for this client of a
// profile.
func (t *Tracker) Has(ctx context.Context, profile, client, tool string) bool {
	t.writing.Lock()
	defer t.writing.Unlock()
	if t.openOnce(ctx) == nil || t.readMarks(ctx) != nil {
		return false
	}
	return slices.ContainsFunc(t.Marks(), func(m Mark) bool { return m.Profile == profile && m.Client == t.storedClient(client) && m.Tool == tool })
}

// Feedback returns the marks in effect for a client of a profile, by "server/tool": marks
// for the client alone override marks for all.
func (t *Tracker) Feedback(profile, client string) map[string]bool {
	list := t.Marks()
	if len(list) == 0 {
		return nil
	}
	return FeedbackOf(list, profile, t.storedClient(client))
}

// Marked registers fn to be called when marks may have changed, on a goroutine of the tracker.
func (t *Tracker) Marked(fn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marking = append(t.marking, fn)
}

// readMarks reads the marks from the log. writing is held.
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

// refreshMarks reads marks that another process may have made meanwhile.
func (t *Tracker) refreshMarks() {
	t.writing.Lock()
	defer t.writing.Unlock()
	if t.log == nil || t.opt.Now().Sub(t.marksRead) < marksEvery {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	_ = t.readMarks(ctx) // on failure the previous marks remain in effect
}

// FeedbackOf returns the marks in effect for a profile and a client, whose name is in the
// form that marks use: for readers of a log without a tracker.
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
