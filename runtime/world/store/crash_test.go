package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A process that is killed in the middle of writing loses nothing that it was told is recorded, and no transaction is
// there in half.
func TestKilledWhileWriting(t *testing.T) { onEach(t, killedWhileWriting) }

func killedWhileWriting(t *testing.T, fresh string) {
	before := 0
	for round := range 8 {
		acknowledged := killed(t, "write", fresh)

		s := open(t, fresh)
		got := read(t, s, "files")
		if len(got) != 2 || got[0].Hash != got[1].Hash {
			t.Fatalf("round %d: half a transaction: %+v", round, got)
		}
		if n, _ := strconv.Atoi(got[0].Hash); n < acknowledged {
			t.Fatalf("round %d: %d was recorded, %d is there", round, acknowledged, n)
		}
		s.Close()
		before += acknowledged
	}
	if before == 0 {
		t.Error("no writer ever wrote")
	}
}

// Three processes create one file and write to it at once: every pin, every count and every step of a read and write
// of all three is there.
func TestProcessesShareOneFile(t *testing.T) { onEach(t, processesShareOneFile) }

func processesShareOneFile(t *testing.T, fresh string) {
	var all []*exec.Cmd
	for _, name := range []string{"a", "b", "c"} {
		cmd := child(t, "share", fresh, name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, fresh)
	want := len(all) * perProcess
	if got := read(t, s, "files"); len(got) != want {
		t.Errorf("%d pins of %d", len(got), want)
	}
	if got := read(t, s, "counter"); len(got) != 1 || got[0].Hash != strconv.Itoa(want) {
		t.Errorf("%+v, want %d", got, want)
	}
	if got := uses(t, s)["shared"]; got.Count != want {
		t.Errorf("%d counts of %d", got.Count, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(fresh), ".new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Whatever happens to the bytes of the file: approvals come back as they were, or there is an error. None is altered
// or lost in silence.
func TestDamagedFiles(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	s := open(t, path)
	want := pins(120)
	put(t, s, want)
	body := make([]byte, 30_000)
	for i := range body {
		body[i] = byte(rand.IntN(256))
	}
	if err := s.PutCatalog(ctx, store.Catalog{Server: "files", Key: "k", Body: body}); err != nil {
		t.Fatal(err)
	}
	s.Count("", "files", "a", true)
	s.Close()
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	detected := 0
	n := 400
	if testing.Short() {
		n = 40
	}
	for i := range n {
		data, what := damage(r, sound, i)
		victim := filepath.Join(dir, fmt.Sprintf("v%d.db", i))
		if err := os.WriteFile(victim, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readAll(ctx, victim, body)
		switch {
		case err == nil && !reflect.DeepEqual(got, want):
			t.Errorf("%d, %s: %d pins of %d, or others, and no error", i, what, len(got), len(want))
		case err != nil:
			detected++
			var known *store.Error
			if !errors.As(err, &known) {
				t.Errorf("%d, %s: %v", i, what, err)
			}
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(victim + suffix)
		}
	}
	t.Logf("%d of %d were detected, the others are harmless", detected, n)
	if detected < n/2 {
		t.Errorf("only %d of %d were detected", detected, n)
	}
}

// damage changes a copy of a file in one of six ways.
func damage(r *rand.Rand, sound []byte, i int) ([]byte, string) {
	data := append([]byte(nil), sound...)
	at := r.IntN(len(data))
	switch i % 6 {
	case 0:
		data[at] ^= 1 << r.IntN(8)
		return data, fmt.Sprintf("one bit at %d", at)
	case 1:
		at = r.IntN(100)
		data[at] = byte(r.IntN(256))
		return data, fmt.Sprintf("header byte %d", at)
	case 2:
		return data[:at], fmt.Sprintf("cut at %d", at)
	case 3:
		page := at / 4096 * 4096
		clear(data[page:min(page+4096, len(data))])
		return data, fmt.Sprintf("page at %d is zero", page)
	case 4: // a torn write: half of a page is of another
		from := r.IntN(len(data)/4096) * 4096
		to := at / 4096 * 4096
		copy(data[to:to+2048], sound[from:from+2048])
		return data, fmt.Sprintf("half of page at %d is that at %d", to, from)
	}
	for range 20 {
		data[r.IntN(len(data))] = byte(r.IntN(256))
	}
	return data, "20 bytes"
}

// readAll uses every part of a store. A catalog that comes back must be the one that was recorded.
func readAll(ctx context.Context, path string, body []byte) ([]store.Pin, error) {
	s, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	got, err := s.Pins(ctx, "files")
	if err != nil {
		return nil, err
	}
	c, ok, err := s.Catalog(ctx, "files", "k")
	if err != nil {
		return nil, err
	}
	if ok && string(c.Body) != string(body) {
		return nil, errors.New("the catalog is another")
	}
	s.Count("", "files", "a", true)
	if _, err := s.Uses(ctx); err != nil {
		return nil, err
	}
	if err := s.PutPins(ctx, got[:1]); err != nil {
		return nil, err
	}
	return got, nil
}

func TestEmptyFileHasLostItsApprovals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(context.Background(), path); !errors.Is(err, store.ErrDamaged) {
		t.Error(err)
	}
}

// A write-ahead log that a crash left behind and that is damaged gives an earlier state, never another one.
func TestDamagedJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	s := open(t, path)
	for n := 1; n <= 20; n++ {
		put(t, s, pins(n))
	}
	main, _ := os.ReadFile(path)
	wal, err := os.ReadFile(path + "-wal")
	if err != nil || len(wal) == 0 {
		t.Fatal("no log", err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		victim := filepath.Join(dir, fmt.Sprintf("v%d.db", i))
		bad := append([]byte(nil), wal...)
		at := r.IntN(len(bad))
		if bad[at] ^= 1 << r.IntN(8); i%2 == 0 {
			bad = bad[:at]
		}
		if err := errors.Join(os.WriteFile(victim, main, 0o600), os.WriteFile(victim+"-wal", bad, 0o600)); err != nil {
			t.Fatal(err)
		}
		v, err := store.Open(context.Background(), victim)
		if err != nil {
			continue
		}
		got := read(t, v, "files")
		if len(got) > 0 && !reflect.DeepEqual(got, pins(len(got))) {
			t.Errorf("%d: %d pins that never were", i, len(got))
		}
		v.Close()
	}
}

func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	put(t, s, pins(3))
	s.DB().SetMaxOpenConns(1)
	if _, err := s.DB().Exec("PRAGMA max_page_count = 12"); err != nil {
		t.Fatal(err)
	}
	if err := s.PutPins(context.Background(), pins(2000)); !errors.Is(err, store.ErrFull) {
		t.Errorf("%v", err)
	}
	if got := read(t, s, "files"); !reflect.DeepEqual(got, pins(3)) {
		t.Errorf("%d pins", len(got))
	}
	put(t, s, pins(1))
}
