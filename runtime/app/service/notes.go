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

// Defaults of settings that the configuration leaves out, as in the schema.
const (
	usualPins     = 500
	usualPinBytes = 2_000
)

// unnamedClient owns the pins of clients that give no name: an empty name would see all
// pins.
const unnamedClient = "?"

// notesFor returns the pins visible to a caller, on the documents that it may search.
func (s *Service) notesFor(snap *Snapshot, sess *session.Session, documents catalog.Library) *catalog.Notes {
	if len(documents) == 0 {
		return nil
	}
	return s.Notes(snap, pinOwner(snap.Plan.Config, sess), documents)
}

// pinOwner returns the client whose pins a session sees; "" means the pins of all.
func pinOwner(c *config.Config, sess *session.Session) (client string) {
	if sess == nil { // the command line
		return ""
	}
	if !c.Notes.All {
		client = cmp.Or(strings.ToLower(strings.TrimSpace(sess.Identity().Client.Name)), unnamedClient)
		client = strings.ReplaceAll(client, "@", "%40") // @ separates the profile
	}
	if len(c.Profiles[c.Profile].Tokens) > 0 { // a client without such a token may claim the same name
		client += "@" + c.Profile
	}
	return client
}

// Notes returns the user's pins of one client, or of all if client is "", on some documents.
func (s *Service) Notes(snap *Snapshot, client string, documents catalog.Library) *catalog.Notes {
	c := snap.Plan.Config.Notes
	return &notes.Notes{Owner: notes.Owner{User: account(), Client: strings.ToLower(client)}, Documents: documents, Now: time.Now, Include: !c.Apart,
		Policy: notes.Policy{Most: cmp.Or(c.Most, usualPins), Bytes: cmp.Or(c.Bytes, usualPinBytes), Keep: c.Keep},
		Open:   func(ctx context.Context) (notes.Book, error) { return s.books.open(ctx, snap) }}
}

// account returns the operating system user: a store on a database server may hold the pins of several users.
var account = sync.OnceValue(func() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
})

// books holds the stores of pins, open until the service closes: calls on a replaced
// configuration continue with its store.
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
