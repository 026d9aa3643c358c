package service

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/docs/notes"
	"github.com/compactor-mcp/compactor/runtime/session"
	"github.com/compactor-mcp/compactor/runtime/store"
)

// What the schema says where a configuration says nothing.
const (
	usualPins     = 500
	usualPinBytes = 2_000
)

// unnamedClient owns the pins of clients that do not say who they are: an empty name
// would see all.
const unnamedClient = "?"

// notes are the pins that a caller sees, on the documents that he may search.
func (s *Service) notes(snap *Snapshot, sess *session.Session, documents catalog.Library) *catalog.Notes {
	if len(documents) == 0 {
		return nil
	}
	client := ""
	if sess != nil && !snap.Plan.Config.Notes.All {
		client = cmp.Or(strings.ToLower(strings.TrimSpace(sess.Who().Client.Name)), unnamedClient)
	}
	return s.Notes(snap, client, documents)
}

// Notes are the pins of one client of the user, or for "" of all, on some documents.
func (s *Service) Notes(snap *Snapshot, client string, documents catalog.Library) *catalog.Notes {
	c := snap.Plan.Config.Notes
	return &notes.Notes{Owner: notes.Owner{User: account(), Client: strings.ToLower(client)}, Documents: documents, Now: time.Now, Include: !c.Apart,
		Policy: notes.Policy{Most: cmp.Or(c.Most, usualPins), Bytes: cmp.Or(c.Bytes, usualPinBytes), Keep: c.Keep},
		Open:   func(ctx context.Context) (notes.Book, error) { return s.books.open(ctx, snap) }}
}

// account names the user of the system: a store on a server has the pins of several.
var account = sync.OnceValue(func() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
})

// books are the stores that pins are kept in, open until the service closes: calls on a
// configuration that was replaced go on with its store.
type books struct {
	mu   sync.Mutex
	held map[string]*store.Store
}

func (b *books) open(ctx context.Context, snap *Snapshot) (notes.Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at, err := snap.StoreAt()
	if err != nil {
		return nil, err
	}
	if at == "" {
		return nil, notes.ErrNowhere
	}
	if s, ok := b.held[at]; ok {
		return s, nil
	}
	s, err := store.OpenLater(ctx, at)
	if err != nil {
		return nil, err
	}
	if b.held == nil {
		b.held = map[string]*store.Store{}
	}
	b.held[at] = s
	return s, nil
}

func (b *books) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for _, s := range b.held {
		errs = append(errs, s.Close())
	}
	b.held = nil
	return errors.Join(errs...)
}
