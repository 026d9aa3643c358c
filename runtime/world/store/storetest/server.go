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

	_ "github.com/jackc/pgx/v5/stdlib" // for administrative statements

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// The superuser of a test's server. Its password must not appear in any message.
const (
	User     = "keeper"
	Password = "pa:ss/w@rd %41"
	Database = "postgres"
)

// Server is a PostgreSQL server for tests.
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

// Shared returns a server for all tests of a program, each of which uses a schema of its own. End stops it.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		bin := findPrograms(t)
		dir, err := os.MkdirTemp("", "storetest")
		if err != nil {
			t.Fatal(err)
		}
		shared.server = initialize(t, bin, dir)
	}
	return shared.server
}

// End stops the shared server. TestMain calls it after the tests.
func End() {
	shared.Lock()
	defer shared.Unlock()
	if s := shared.server; s != nil {
		s.Stop()
		_ = os.RemoveAll(s.dir)
	}
	shared.server = nil
}

// New returns a server for one test, which may stop it.
func New(t testing.TB) *Server {
	t.Helper()
	bin := findPrograms(t)
	dir, err := os.MkdirTemp("", "storetest") // another user cannot enter t.TempDir
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

// findPrograms returns the directory of initdb and postgres.
func findPrograms(t testing.TB) string {
	t.Helper()
	places, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Sort(places)
	if path, err := exec.LookPath("initdb"); err == nil {
		places = append(places, filepath.Dir(path))
	}
	for _, dir := range slices.Backward(places) {
		if fileExists(filepath.Join(dir, "initdb")) && fileExists(filepath.Join(dir, "postgres")) {
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

func fileExists(path string) bool {
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

func (s *Server) arguments() []string {
	return []string{"-D", s.data(), "-p", fmt.Sprint(s.Port), "-k", "", "-c", "listen_addresses=127.0.0.1", "-c", "fsync=on", "-c", "shared_buffers=16MB"}
}

// CommandLine returns a command line by which another program can start the server, once it was stopped.
func (s *Server) CommandLine() []string {
	line := append([]string{filepath.Join(s.bin, "postgres")}, s.arguments()...)
	if os.Getuid() == 0 { // which PostgreSQL rejects
		line = append([]string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}, line...)
	}
	return line
}

// Start starts the server and waits until it accepts connections. settings are of the form name=value.
func (s *Server) Start(t testing.TB, settings ...string) {
	t.Helper()
	args := s.arguments()
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
		s.Stop() // so that all output is written
		return fmt.Sprintf("%v\n%s", err, s.out.String())
	})
}

// Stop stops the server at once and cuts off its clients.
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

// URL returns the address of an unused schema.
func (s *Server) URL() string { return s.Address(s.Port, "s_"+strings.ToLower(rand.Text())) }

// Address returns the address of a schema through a port.
func (s *Server) Address(port int, schema string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, Password), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "/" + Database,
		RawQuery: url.Values{"search_path": {schema}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// Schema returns the schema that a URL names.
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

// Exec runs statements as the superuser. Table names must include the schema.
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

// Count returns the number that a query yields.
func (s *Server) Count(t testing.TB, query string, args ...any) (n int) {
	t.Helper()
	db := s.open(t)
	defer db.Close()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// freePort returns a port that is not in use and outside of the range for outgoing connections, which begins at 32768
// or 49152: one of these could take the port while the server is stopped.
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
