package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"
)

// Catalog is the last listing of a server.
type Catalog struct {
	Server  string
	Key     string    // a hash of the server's specification
	Fetched time.Time // to the millisecond, UTC
	Body    []byte
}

// MaxCatalog limits the body of a catalog, in bytes.
const MaxCatalog = 64 << 20

// Catalog returns the catalog of a server, and whether one exists under this key. A
// damaged one counts as missing, so that it is fetched again.
func (s *Store) Catalog(ctx context.Context, server, key string) (Catalog, bool, error) {
	c := Catalog{Server: server, Key: key}
	var fetched int64
	var packed []byte
	err := s.row(ctx, "SELECT fetched, body FROM catalogs WHERE server = ? AND key = ?", []any{server, key}, &fetched, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return Catalog{}, false, nil
	}
	if err != nil {
		return Catalog{}, false, err
	}
	if c.Body, err = unpack(packed); err != nil {
		return Catalog{}, false, nil
	}
	c.Fetched = fromMillis(fetched)
	return c, true, nil
}

// Catalogs returns the catalogs of all servers, without their bodies.
func (s *Store) Catalogs(ctx context.Context) (out []Catalog, err error) {
	err = s.each(ctx, "SELECT server, key, fetched FROM catalogs", nil, func(row *sql.Rows) error {
		var c Catalog
		var fetched int64
		if err := row.Scan(&c.Server, &c.Key, &fetched); err != nil {
			return err
		}
		c.Fetched = fromMillis(fetched)
		out = append(out, c)
		return nil
	})
	return out, err
}

// PutCatalog stores the catalog of a server and replaces its previous one. Processes tell by
// the date whether a catalog is another's, so two of one millisecond get different dates.
func (s *Store) PutCatalog(ctx context.Context, c Catalog) error {
	if len(c.Body) > MaxCatalog {
		return fmt.Errorf("the catalog of server %s has %d bytes; at most %d are kept", c.Server, len(c.Body), MaxCatalog)
	}
	packed, err := pack(c.Body)
	if err != nil {
		return fmt.Errorf("the catalog of server %s: %w", c.Server, err)
	}
	return s.exec(ctx, `INSERT INTO catalogs (server, key, fetched, body) VALUES (?,?,?,?)
		ON CONFLICT (server) DO UPDATE SET key = excluded.key, body = excluded.body,
			fetched = excluded.fetched + CASE WHEN catalogs.fetched = excluded.fetched THEN 1 ELSE 0 END`,
		c.Server, c.Key, toMillis(c.Fetched), packed)
}

func pack(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r, MaxCatalog+1))
	if err == nil && len(body) > MaxCatalog {
		err = errors.New("larger than any that was written")
	}
	return body, err
}
