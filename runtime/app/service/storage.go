package service

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// openStore opens the configured store, or returns nil if nothing is kept. A database
// server that is unreachable now may become available later.
func openStore(s *Snapshot) (*store.Store, error) {
	at, err := s.StoreAt()
	if err != nil || at == "" {
		return nil, err
	}
	return store.OpenLater(context.Background(), at)
}

// StoreURL returns the configured store, or a file in the state directory; "" if
// nothing is kept. It may contain a password: use store.Shown for display.
func (s *Snapshot) StoreURL() string {
	at, _ := s.StoreAt()
	return at
}

// LibraryURL returns the store next to which, or in which, collections are kept; "" if
// nothing is kept. It may contain a password, like StoreURL.
func (s *Snapshot) LibraryURL() string {
	at := s.StoreURL()
	if store.OnServer(at) && s.Plan.Config.Store.Files {
		at, _ = s.StoreLike("")
	}
	return at
}

// StoreAt returns StoreURL, or an error if a ${NAME} in it is not set.
func (s *Snapshot) StoreAt() (string, error) { return s.StoreLike(s.Plan.Config.Store.URL) }

// StoreLike returns the store for a given value of store.url.
func (s *Snapshot) StoreLike(at string) (string, error) {
	switch {
	case at == "none", at == "" && s.opt.State == "":
		return "", nil
	case at == "":
		return filepath.Join(s.opt.State, "compactor.db"), nil
	}
	if file, ok := strings.CutPrefix(at, "sqlite:"); ok && file != ":memory:" {
		return "sqlite:" + absolute(s.opt.Work, file), nil
	}
	return expandStore(at, func(name string) (string, bool) { return s.opt.Variable(config.Server{}, name) })
}

var storeVariable = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expandStore replaces each ${NAME} by its value. A password may contain any character,
// so values in front of the @ are escaped.
func expandStore(at string, lookup func(string) (string, bool)) (string, error) {
	var unset []string
	expand := func(text string, write func(string) string) string {
		return storeVariable.ReplaceAllStringFunc(text, func(m string) string {
			name := storeVariable.FindStringSubmatch(m)[1]
			value, ok := lookup(name)
			if !ok && !slices.Contains(unset, name) {
				unset = append(unset, name)
			}
			return write(value)
		})
	}
	plain := func(s string) string { return s }
	escaped := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	user, rest, has := strings.Cut(at, "@")
	if has {
		at = expand(user, escaped) + "@" + expand(rest, plain)
	} else {
		at = expand(at, plain)
	}
	if len(unset) > 0 {
		return "", errors.New("store.url needs " + strings.Join(unset, " and ") + ", which is not set; set it in the environment of compactor or in " + SecretsFile + " beside the configuration")
	}
	return at, nil
}

// store checks the store settings, as far as possible without opening it.
func (c *checker) store() {
	at := c.cfg.Store.URL
	if share := c.cfg.Store.Share; share != nil && *share && (at == "none" || at == "sqlite::memory:") {
		c.report("C170", "store.share is true, and store.url keeps nothing that another compactor could read", "name a file or a database server in store.url, or leave store.share out", "store", "share")
	}
	switch scheme, _, _ := strings.Cut(at, ":"); {
	case at == "", at == "none", scheme == "sqlite", strings.HasPrefix(at, "${"):
	case !store.OnServer(at) || !strings.HasPrefix(at, scheme+"://"):
		shown := at
		if strings.Contains(at, "@") { // it may contain a password
			shown = scheme + ":…"
		}
		c.report("C131", "invalid store URL \""+shown+"\"", "write sqlite: and a file, such as sqlite:state.db, postgres://user:${NAME}@host/database, or none", "store", "url")
	default:
		u, err := url.Parse(storeVariable.ReplaceAllString(at, "x"))
		if err != nil {
			c.report("C131", "the address of the database server cannot be read", "write postgres://user:${NAME}@host/database; a character such as / or % in a password is written as % with two digits", "store", "url")
			return
		}
		user, _, _ := strings.Cut(at, "@")
		if password, set := u.User.Password(); set && password != "" && !storeVariable.MatchString(user) {
			c.warn("C131", "a password stands in the configuration", "write ${NAME} in its place, and the password in "+SecretsFile+" or the environment", "store", "url")
		}
		if doubt := store.Doubt(storeVariable.ReplaceAllString(at, "x")); doubt != "" {
			c.warn("C131", doubt, "leave sslmode out, or write sslmode=verify-full", "store", "url")
		}
	}
}
