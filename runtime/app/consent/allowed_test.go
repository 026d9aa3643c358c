package consent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func of(digests ...string) *Effects {
	r := &Effects{}
	for _, d := range digests {
		r.Items = append(r.Items, Item{Digest: d})
	}
	return r
}

func TestOnlyWhatWasAllowedActs(t *testing.T) {
	state, dir, other := filepath.Join(t.TempDir(), "state"), t.TempDir(), t.TempDir()
	list := Allowed(state)
	if list.Has(dir, "a") {
		t.Error("allowed before anybody said so")
	}
	for _, r := range []*Effects{of("a"), of("b", "d"), of("b")} {
		if err := list.Add(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	for _, c := range []struct {
		dir, digest string
		want        bool
	}{{dir, "a", true}, {link, "b", true}, {dir, "d", true}, {dir, "c", false}, {other, "a", false}} {
		if got := Allowed(state).Has(c.dir, c.digest); got != c.want {
			t.Errorf("%s of %s is allowed: %v", c.digest, filepath.Base(c.dir), got)
		}
	}
	if had, err := list.Forget(dir); err != nil || !had || list.Has(dir, "a") {
		t.Errorf("forgotten: %v, %v; still allowed: %v", had, err, list.Has(dir, "a"))
	}
}

func TestADamagedListAllowsNothingAndIsNotWrittenOver(t *testing.T) {
	state := t.TempDir()
	path := filepath.Join(state, "allowed.json")
	for _, text := range []string{`{"x":["a"]`, `[]`, `null`, ``, `{"x":"a"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if Allowed(state).Has("x", "a") {
			t.Errorf("%q allows", text)
		}
		err := Allowed(state).Add("x", of("b"))
		if err == nil || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("%q: %v", text, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%q was written over", text)
		}
	}
}

func TestWithoutAStateDirectoryNothingIsAllowed(t *testing.T) {
	for _, state := range []string{"", ".", "state"} {
		if Allowed(state).Has("x", "a") || Allowed(state).Add("x", of("a")) == nil {
			t.Errorf("allowed in %q, which is nowhere", state)
		}
	}
}

// Of many that write at once none loses what it was told.
func TestAllowingAtOnce(t *testing.T) {
	defer func(was time.Duration) { lockWait = was }(lockWait)
	lockWait = time.Minute
	state := t.TempDir()
	const many = 20
	if err := Allowed(state).Add("gone", of("x")); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			if err := Allowed(state).Add(fmt.Sprint("dir", i), of("a")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Go(func() {
		if had, err := Allowed(state).Forget("gone"); !had || err != nil {
			t.Errorf("forgotten: %v, %v", had, err)
		}
	})
	wg.Wait()
	for i := range many {
		if !Allowed(state).Has(fmt.Sprint("dir", i), "a") {
			t.Errorf("dir%d was lost", i)
		}
	}
	if Allowed(state).Has("gone", "x") {
		t.Error("what was taken back came again")
	}
	if left, _ := filepath.Glob(filepath.Join(state, "*.lock")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
