package budget

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadIsRefusedBeforeItHappens(t *testing.T) {
	l := New(Limits{Files: 2, Bytes: 100})
	for _, c := range []struct {
		name  string
		bytes int64
		limit string // "" when it must be allowed
	}{
		{"a.go", 40, ""},
		{"a.go", 20, ""}, // the file counts once, its bytes each time
		{"b.go", 41, "bytes"},
		{"b.go", 40, ""},
		{"c.go", 0, "files"},
	} {
		err := l.Read(c.name, c.bytes)
		var ex *ExhaustedError
		switch {
		case c.limit == "" && err != nil:
			t.Errorf("Read(%s, %d) = %v, want room", c.name, c.bytes, err)
		case c.limit != "" && (!errors.As(err, &ex) || ex.Limit != c.limit):
			t.Errorf("Read(%s, %d) = %v, want a refusal by %s", c.name, c.bytes, err, c.limit)
		}
	}
	want := Usage{Files: 2, Bytes: 100, Warned: []string{"bytes", "files"}, Hit: []string{"bytes", "files"}}
	if d := cmp.Diff(want, l.Usage()); d != "" {
		t.Error(d)
	}
}

func TestChildOnlyNarrows(t *testing.T) {
	parent := New(Limits{Files: 3, Time: time.Second})
	wide, narrow := parent.Child(Limits{Files: 50}), parent.Child(Limits{Files: 1})
	if got := wide.Limits().Files; got != 3 {
		t.Errorf("a child that asks for 50 files has %d, want its parent's 3", got)
	}
	if err := narrow.Read("a", 1); err != nil {
		t.Fatal(err)
	}
	if err := narrow.Read("b", 1); err == nil {
		t.Error("narrow child read a second file")
	}
	if err := wide.Read("b", 1); err != nil {
		t.Errorf("sibling is refused: %v", err)
	}
	if got := parent.Usage().Files; got != 2 {
		t.Errorf("parent counts %d files, want 2", got)
	}
}

func TestRefusedTakeSpendsNothing(t *testing.T) {
	parent := New(Limits{Steps: 1})
	child := parent.Child(Limits{Steps: 1})
	if err := child.Step(2); err == nil {
		t.Fatal("two steps of one")
	}
	if u := parent.Usage(); u.Steps != 0 || !cmp.Equal(u.Hit, []string{"steps"}) {
		t.Errorf("usage %+v", u)
	}
}

func TestNilLedgerAllowsAll(t *testing.T) {
	var l *Ledger
	if err := errors.Join(l.Read("a", 1<<40), l.Step(9), l.TokensIn(1)); err != nil {
		t.Fatal(err)
	}
	if most, settle, err := l.ReserveOut(9, 5); most != 9 || err != nil {
		t.Errorf("%d tokens of a reply, %v", most, err)
	} else {
		settle(3)
	}
	l.Cut("time")
	l.Scanned(1)
	if l.Child(Limits{Files: 1}).Limits().Files != 1 {
		t.Error("child of nil lost its limits")
	}
}

func TestConcurrentReadsNeverOverspend(t *testing.T) {
	l := New(Limits{Files: 10})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			child := l.Child(Limits{})
			for j := range 20 {
				_ = child.Read(fmt.Sprint(i, j), 1)
			}
		})
	}
	wg.Wait()
	if got := l.Usage().Files; got != 10 {
		t.Errorf("spent %d of 10", got)
	}
}

func TestRefusedIsToldOfLimitsInForce(t *testing.T) {
	root := New(Limits{Files: 1, Bytes: 100})
	stage := root.Child(Limits{})
	first, second, other := stage.Child(Limits{Steps: 1}), stage.Child(Limits{}), root.Child(Limits{})
	_ = first.Step(2)
	if first.Refused() == nil || stage.Refused() != nil || root.Refused() != nil {
		t.Errorf("a child's own limit: %v, %v, %v", first.Refused(), stage.Refused(), root.Refused())
	}
	_ = second.Read("a", 101)
	for i, want := range []bool{false, true, true, true, false} {
		l := []*Ledger{other, second, stage, root, nil}[i]
		if got := l.Refused() != nil; got != want {
			t.Errorf("%d: %v, want %v", i, l.Refused(), want)
		}
	}
	quiet := root.Child(Limits{})
	quiet.quiet = true
	_ = quiet.Read("b", 101)
	if quiet.Refused() != nil {
		t.Error("extra work counts as refused")
	}
}
