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

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
	"github.com/compactor-mcp/compactor/runtime/world/store"
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
	return s.Notes(snap, pinOwner(snap.Plan.Config, sess), documents)
}

// pinOwner names the client whose pins a session sees; "" for those of all.
func pinOwner(c *config.Config, sess *session.Session) (client string) {
	if sess == nil { // the command line
		return ""
	}
	if !c.Notes.All {
		client = cmp.Or(strings.ToLower(strings.TrimSpace(sess.Who().Client.Name)), unnamedClient)
		client = strings.ReplaceAll(client, "@", "%40") // what follows one is the profile
	}
	if len(c.Profiles[c.Profile].Tokens) > 0 { // who has no token of it may say that name too
		client += "@" + c.Profile
	}
	return client
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
