package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

func TestNotes(t *testing.T) { onEach(t, keepsNotes) }

// Pins are kept whole, shown to whom they are for, bounded, and taken back.
func keepsNotes(t *testing.T, fresh string) {
	s := open(t, fresh)
	at := time.Date(2026, 11, 24, 1, 2, 3, 0, time.UTC)
	pin := func(user, client, id string, after time.Duration) notes.Pin {
		return notes.Pin{ID: "pin-" + id, Owner: notes.Owner{User: user, Client: client}, Collection: "guide", Home: "a1", URI: "guide/pools.md", Version: "v1", Title: "Pools “1”",
			Section: []string{"Pools", "Size ' \" %"}, Start: 3, End: 9, Quote: "twelve\n☃ '; DROP TABLE notes; --", Note: "ask $1 ?", Tags: []string{"limits"}, At: at.Add(after)}
	}
	put := func(p notes.Pin, most int, since time.Time) error { return s.PutNote(t.Context(), p, most, since) }
	mine, other, all, stranger := pin("me", "lm-studio", "1", 0), pin("me", "claude", "2", time.Minute), pin("me", "", "3", 2*time.Minute), pin("you", "lm-studio", "4", 3*time.Minute)
	for _, p := range []notes.Pin{mine, other, all, stranger} {
		if err := put(p, 10, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	ids := func(of notes.Owner, since time.Time) (out []string) {
		t.Helper()
		list, err := s.Notes(t.Context(), of, since)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			out = append(out, p.ID)
		}
		return out
	}
	for of, want := range map[notes.Owner]string{
		{User: "me", Client: "lm-studio"}: "[pin-3 pin-1]", {User: "me", Client: "claude"}: "[pin-3 pin-2]", {User: "me", Client: "new"}: "[pin-3]",
		{User: "me"}: "[pin-3 pin-2 pin-1]", {User: "you"}: "[pin-4]", {User: "nobody"}: "[]", {}: "[]",
	} {
		if got := fmt.Sprint(ids(of, time.Time{})); got != want {
			t.Errorf("%+v sees %s, want %s", of, got, want)
		}
	}
	list, _ := s.Notes(t.Context(), notes.Owner{User: "you"}, time.Time{})
	if len(list) != 1 || !reflect.DeepEqual(list[0], stranger) {
		t.Errorf("%+v, want %+v", list, stranger)
	}
	// The same pin again takes the place of the first, also where there is no room.
	mine.Note, mine.Version, mine.Start, mine.At = "another", "v2", 5, at.Add(time.Hour)
	if err := put(mine, 1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if list, _ := s.Notes(t.Context(), mine.Owner, time.Time{}); len(list) != 2 || !reflect.DeepEqual(list[0], mine) {
		t.Errorf("%+v, want %+v", list, mine)
	}
	if err := put(pin("me", "lm-studio", "5", 0), 1, time.Time{}); !errors.Is(err, notes.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	// What is too old is not shown, and makes room.
	if got := fmt.Sprint(ids(notes.Owner{User: "me"}, at.Add(90*time.Second))); got != "[pin-1 pin-3]" {
		t.Errorf("since: %s", got)
	}
	if err := put(pin("me", "lm-studio", "5", 3*time.Hour), 1, at.Add(2*time.Hour)); err != nil {
		t.Errorf("room of what was too old: %v", err)
	}
	for _, c := range []struct {
		of   notes.Owner
		id   string
		want bool
	}{{notes.Owner{User: "you"}, "pin-5", false}, {notes.Owner{User: "me", Client: "claude"}, "pin-5", false}, {notes.Owner{User: "me", Client: "lm-studio"}, "pin-5", true}, {notes.Owner{User: "me"}, "pin-5", false}, {notes.Owner{User: "me"}, "pin-2", true}} {
		if there, err := s.DropNote(t.Context(), c.of, c.id); err != nil || there != c.want {
			t.Errorf("%+v drops %s: %v, %v", c.of, c.id, there, err)
		}
	}
	// Of many at once no more are kept than there is room for.
	var wg sync.WaitGroup
	for n := range 24 {
		wg.Go(func() {
			if err := put(pin("many", "c", fmt.Sprint("m", n), 0), 7, time.Time{}); err != nil && !errors.Is(err, notes.ErrFull) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := ids(notes.Owner{User: "many"}, time.Time{}); len(got) != 7 {
		t.Errorf("%d are kept, want 7", len(got))
	}
}
