package store_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// Tables that were damaged on a server are moved aside when a person says so, and what others have beside them stays.
func TestRenewOnAServer(t *testing.T) {
	server := storetest.Shared(t)
	for name, damage := range map[string][]string{
		"a table is gone":     {"DROP TABLE %.pins"},
		"a column is gone":    {"ALTER TABLE %.usage_calls DROP COLUMN hidden"},
		"a table of a script": {"DROP TABLE %.shared_results"},
	} {
		t.Run(name, func(t *testing.T) {
			at := server.URL()
			schema := storetest.Schema(at)
			s := open(t, at)
			put(t, s, pins(3))
			if again, moved, err := store.Renew(t.Context(), at); err != nil || moved != "" {
				t.Fatalf("a sound one is moved to %q: %v", moved, err)
			} else {
				again.Close()
			}
			s.Close()
			server.Exec(t, "CREATE TABLE "+schema+".orders (id int)")
			for _, q := range damage {
				server.Exec(t, strings.ReplaceAll(q, "%", schema))
			}
			_, err := store.Open(t.Context(), at)
			if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "doctor --renew-store") || !store.Withholds(err) {
				t.Fatalf("%v", err)
			}
			for n, want := range []string{"schema " + schema + "_damaged_1", ""} {
				fresh, moved, err := store.Renew(t.Context(), at)
				if err != nil || moved != want {
					t.Fatalf("%d: moved to %q: %v", n, moved, err)
				}
				if got := read(t, fresh, "files"); len(got) != 0 {
					t.Errorf("%+v", got)
				}
				fresh.Close()
			}
			if n := server.Count(t, "SELECT count(*) FROM pg_tables WHERE schemaname = $1 AND tablename = 'orders'", schema); n != 1 {
				t.Error("another's table was moved")
			}
			if n := server.Count(t, "SELECT count(*) FROM pg_tables WHERE schemaname = $1", schema+"_damaged_1"); n < 13 {
				t.Errorf("%d tables are aside", n)
			}
		})
	}
}

// A server is trusted by its certificate: one that another authority has signed, or for another name, is not written to.
func TestTheServerProvesItsName(t *testing.T) {
	server := storetest.New(t)
	tls := server.Secure(t, "127.0.0.1")
	as := func(host, root string) string {
		return changed(t, server.URL(), func(u *url.URL) {
			u.Host = host + u.Host[strings.LastIndex(u.Host, ":"):]
			q := u.Query()
			q.Set("sslmode", "verify-full")
			if root != "" {
				q.Set("sslrootcert", root)
			}
			u.RawQuery = q.Encode()
		})
	}
	good := as("127.0.0.1", tls.Root)
	s := open(t, good)
	put(t, s, pins(2))
	if got := read(t, s, "files"); len(got) != 2 {
		t.Errorf("%+v", got)
	}
	if n := server.Count(t, "SELECT count(*) FROM pg_stat_ssl AS t JOIN pg_stat_activity AS a ON a.pid = t.pid WHERE t.ssl AND a.application_name = 'compactor'"); n < 1 {
		t.Error("what is sent is not encrypted")
	}
	for name, c := range map[string]struct {
		url  string
		want error
		says []string
	}{
		"another authority":   {as("127.0.0.1", tls.Other), store.ErrUnsafe, []string{"certificate", "sslrootcert=FILE"}},
		"the system's":        {as("127.0.0.1", ""), store.ErrUnsafe, []string{"certificate", "sslrootcert=FILE"}},
		"another name":        {as("localhost", tls.Root), store.ErrUnsafe, []string{"localhost", "a certificate for its name"}},
		"no such file":        {as("127.0.0.1", tls.Root+"-missing"), nil, []string{"no such file"}},
		"a file that is none": {as("127.0.0.1", tls.Key), nil, []string{"its url is not understood"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), c.url)
			if s != nil || err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Fatalf("%v; want %v", err, c.want)
			}
			for _, says := range c.says {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("%v: says nothing of %q", err, says)
				}
			}
			if strings.Contains(err.Error(), storetest.Password) || strings.Contains(err.Error(), url.QueryEscape(storetest.Password)) {
				t.Errorf("it shows the password: %v", err)
			}
		})
	}
}
