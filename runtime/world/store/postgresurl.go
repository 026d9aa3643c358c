package store

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// defaultSchema holds our tables if the URL has no search_path. It is not public, where other programs have theirs.
const defaultSchema = "compactor"

// Default timeouts for connecting to a server, unless the URL sets one, and for locks.
const (
	connectTime = 3 * time.Second
	lockTime    = "4s"
)

var schemaName = lazyregexp.New(`^[a-z_][a-z0-9_]{0,62}$`)

// address is the parsed URL of a database server.
type address struct {
	config *pgx.ConnConfig
	schema string
	shown  string // without secrets
}

// parseAddress parses a URL. Its errors contain no part that may be secret.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return address{}, errors.New("its url cannot be read: a character in it, of the password perhaps, is to be written as % with two digits; write the password as ${NAME}")
	}
	a := address{schema: defaultSchema, shown: Shown(text)}
	q := u.Query()
	if q.Has("search_path") {
		a.schema = q.Get("search_path")
		if !schemaName.MatchString(a.schema) {
			return address{}, errors.New("search_path names one schema, in small letters, digits and _")
		}
		q.Del("search_path")
	}
	if !q.Has("sslmode") && !q.Has("service") && os.Getenv("PGSSLMODE") == "" && !isLocalHost(cmp.Or(q.Get("host"), u.Hostname(), os.Getenv("PGHOST"))) {
		q.Set("sslmode", "verify-full") // the driver's default would not verify the server
	}
	u.RawQuery, u.Fragment = q.Encode(), ""
	if a.config, err = pgx.ParseConfig(u.String()); err != nil {
		return address{}, errors.New("its url is not understood: " + reasonOf(err) + "; write postgres://user:${NAME}@host/database")
	}
	if a.config.ConnectTimeout == 0 || !q.Has("connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		a.config.ConnectTimeout = connectTime
	}
	if a.config.RuntimeParams["application_name"] == "" {
		a.config.RuntimeParams["application_name"] = "compactor"
	}
	return a, nil
}

// reasonOf returns the driver's reason without the URL that the driver repeats.
func reasonOf(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	if text := err.Error(); !strings.Contains(text, "://") && !strings.Contains(text, "`") {
		return text
	}
	return "a part of it is wrong"
}

// isLocalHost reports whether a server is on this machine, so that connections stay local.
func isLocalHost(host string) bool {
	if host == "" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// OnServer reports whether a URL names a database server, which keeps nothing in files.
func OnServer(url string) bool {
	scheme, _ := splitURL(url)
	return scheme == "postgres" || scheme == "postgresql"
}

// Shown returns a URL for display: the place of the store, without the password.
func Shown(text string) string {
	if !OnServer(text) {
		return strings.TrimPrefix(text, "sqlite:")
	}
	u, err := url.Parse(text)
	if err != nil {
		return "postgres://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	kept := url.Values{}
	for _, name := range []string{"host", "port", "dbname", "search_path"} {
		if v := u.Query().Get(name); v != "" {
			kept.Set(name, v)
		}
	}
	if !collectionKey.MatchString(u.Fragment) {
		u.Fragment = ""
	}
	u.RawQuery, u.Opaque = kept.Encode(), ""
	return u.String()
}

// Doubt returns a warning about an insecure URL, or "".
func Doubt(text string) string {
	if !OnServer(text) {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	q := u.Query()
	mode := q.Get("sslmode")
	if isLocalHost(cmp.Or(q.Get("host"), u.Hostname(), os.Getenv("PGHOST"))) || mode == "" || mode == "verify-full" || mode == "verify-ca" {
		return ""
	}
	return "with sslmode=" + mode + " whoever is on the way can read and change what is kept"
}
