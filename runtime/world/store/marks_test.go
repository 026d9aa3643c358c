package store_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

func TestMarks(t *testing.T) { onEach(t, keepsMarks) }

// What people say of tools is kept for each client, taken back, deleted by no age, and bounded.
func keepsMarks(t *testing.T, fresh string) {
	s := open(t, fresh)
	log := s.Usage()
	at := time.Date(2026, 11, 24, 1, 2, 3, 0, time.UTC)
	yes, no := true, false
	mark := func(profile, client, tool string, relevant *bool, after time.Duration) error {
		return log.Mark(t.Context(), usage.Mark{Profile: profile, Client: client, Tool: tool, At: at.Add(after)}, relevant)
	}
	marks := func() []usage.Mark {
		t.Helper()
		list, err := log.Marks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	odd := "'; DROP TABLE usage_marks; -- ☃ ? $1"
	for _, m := range []struct {
		profile, client, tool string
		relevant              *bool
	}{{"work", "b", "files/z", &yes}, {"", "b", "files/a", &no}, {"", "", "Z/a", &yes}, {"", "", "a/a", &yes}, {"", odd, odd, &no}, {"", "b", "files/a", &yes}, {"", "b", "gone", &yes}, {"", "b", "gone", nil}, {"", "b", "never", nil}} {
		if err := mark(m.profile, m.client, m.tool, m.relevant, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	then := at.Add(time.Minute)
	want := []usage.Mark{{Tool: "Z/a", Relevant: true, At: then}, {Tool: "a/a", Relevant: true, At: then}, {Client: odd, Tool: odd, At: then},
		{Client: "b", Tool: "files/a", Relevant: true, At: then}, {Profile: "work", Client: "b", Tool: "files/z", Relevant: true, At: then}}
	if got := marks(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if err := log.Purge(t.Context(), at.Add(time.Hour), 0); err != nil || len(marks()) != len(want) {
		t.Errorf("purging what is old left %d of %d marks, %v", len(marks()), len(want), err)
	}
	if err := log.Unmark(t.Context()); err != nil || len(marks()) != 0 {
		t.Errorf("%d marks are left, %v", len(marks()), err)
	}
	// There is room for so many; what is there can still be changed.
	if _, err := s.DB().Exec(`INSERT INTO usage_marks (profile, client, tool, relevant, at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
		SELECT '', '', 't' || i, TRUE, i FROM n`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool     string
		relevant *bool
		fits     bool
	}{{"last", &yes, true}, {"more", &yes, false}, {"t7", &no, true}, {"t8", nil, true}, {"more", &yes, true}, {"again", &no, false}} {
		if err := mark("", "", c.tool, c.relevant, 0); (err == nil) != c.fits || err != nil && !strings.Contains(err.Error(), "10000 marks") {
			t.Errorf("%s: %v, fits: %v", c.tool, err, c.fits)
		}
	}
	if n := len(marks()); n != usage.MostMarks {
		t.Errorf("%d marks, want %d", n, usage.MostMarks)
	}
}
