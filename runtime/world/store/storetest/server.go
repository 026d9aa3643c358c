package storetest

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"database/sql"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // for what an administrator does

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Who may do everything on the server of a test. The password is one that no message may show.
const (
	User     = "keeper"
	Password = "pa:ss/w@rd %41"
	Database = "postgres"
)

// Server is a PostgreSQL that belongs to a test.
type Server struct {
	Port int

	dir string
	bin string
	mu  sync.Mutex
	cmd *exec.Cmd
	out bytes.Buffer
}

var shared struct {
	sync.Mutex
	server *Server
}

// Shared is a server for all tests of one program, which each use a schema of their own. End ends it.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		bin := programs(t)
		dir, err := os.MkdirTemp("", "storetest")
		if err != nil {
			t.Fatal(err)
		}
		shared.server = initialize(t, bin, dir)
	}
	return shared.server
}

// End ends the shared server. TestMain calls it behind the tests.
func End() {
	shared.Lock()
	defer shared.Unlock()
	if s := shared.server; s != nil {
		s.Stop()
		_ = os.RemoveAll(s.dir)
	}
	shared.server = nil
}

// New is a server for one test, which may stop it.
func New(t testing.TB) *Server {
	t.Helper()
	bin := programs(t)
	dir, err := os.MkdirTemp("", "storetest") // t.TempDir is not to be entered by another user
	if err != nil {
		t.Fatal(err)
	}
	s := initialize(t, bin, dir)
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(dir)
	})
	return s
}

// programs is the directory of initdb and postgres.
func programs(t testing.TB) string {
	t.Helper()
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Sort(places)
	if path, err := exec.LookPath("initdb"); err == nil {
		places = append(places, filepath.Dir(path))
	}
	for _, dir := range slices.Backward(places) {
		if able(filepath.Join(dir, "initdb")) && able(filepath.Join(dir, "postgres")) {
			return dir
		}
	}
	const missing = "PostgreSQL is not installed here (initdb and postgres, as in Debian's package postgresql)"
	if os.Getenv("COMPACTOR_TEST_POSTGRES") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

func able(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func initialize(t testing.TB, bin, dir string) *Server {
	t.Helper()
	s := &Server{dir: dir, bin: bin, Port: freePort(t)}
	defer func() {
		if t.Failed() {
			s.Stop()
			_ = os.RemoveAll(dir)
		}
	}()
	key := filepath.Join(dir, "password")
	if err := os.WriteFile(key, []byte(Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := giveAway(dir, key); err != nil {
		t.Fatal(err)
	}
	if out, err := s.command("initdb", "-D", s.data(), "-U", User, "--pwfile", key, "-A", "scram-sha-256", "--no-sync", "-E", "UTF8", "--no-locale").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.Start(t)
	return s
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "LC_ALL=C")
	asAnother(cmd)
	return cmd
}

// Start starts the server and waits until it takes connections. settings are name=value.
func (s *Server) Start(t testing.TB, settings ...string) {
	t.Helper()
	args := []string{"-D", s.data(), "-p", fmt.Sprint(s.Port), "-k", "", "-c", "listen_addresses=127.0.0.1", "-c", "fsync=on", "-c", "shared_buffers=16MB"}
	for _, one := range settings {
		args = append(args, "-c", one)
	}
	cmd := s.command("postgres", args...)
	s.out.Reset()
	cmd.Stdout, cmd.Stderr = &s.out, &s.out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.cmd = cmd
	s.mu.Unlock()
	var err error
	clocktest.Until(t, "the server takes connections", func() bool {
		db := s.open(t)
		defer db.Close()
		err = db.Ping()
		return err == nil
	}, func() any {
		s.Stop() // it has written all
		return fmt.Sprintf("%v\n%s", err, s.out.String())
	})
}

// Stop stops the server at once: who is connected is cut off.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	_ = s.cmd.Wait()
	s.cmd = nil
}

// URL is the address of a schema that nobody else uses.
func (s *Server) URL() string { return s.Address(s.Port, "s_"+strings.ToLower(rand.Text())) }

// Address is that of a schema by way of a port.
func (s *Server) Address(port int, schema string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, Password), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "/" + Database,
		RawQuery: url.Values{"search_path": {schema}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// Schema is the one that a URL names.
func Schema(address string) string {
	u, _ := url.Parse(address)
	return cmp.Or(u.Query().Get("search_path"), "compactor")
}

func (s *Server) open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", s.Address(s.Port, "public"))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// Exec runs statements as an administrator. Each needs the schema's name before tables.
func (s *Server) Exec(t testing.TB, statements ...string) {
	t.Helper()
	db := s.open(t)
	defer db.Close()
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// Count is the number that a query gives.
func (s *Server) Count(t testing.TB, query string, args ...any) (n int) {
	t.Helper()
	db := s.open(t)
	defer db.Close()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// freePort returns a port that nobody listens on and that no system gives to a connection: those begin at 32768 or 49152,
// and one would take the port of a server that is stopped for a while.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 20000 + mathrand.IntN(12000)
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free from 20000 to 32000")
	return 0
}
