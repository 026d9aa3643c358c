package compact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// records are n records as a tool returns them.
func records(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"total": ` + fmt.Sprint(n) + `, "next": null, "items": [`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id": 90000000000000000%03d, "rate": 1.10, "state": "open", "note": "The order of customer %d waits for its delivery. %s"}`, i, i, strings.Repeat("Nothing else is known. ", 40))
	}
	b.WriteString("]}")
	return []byte(b.String())
}

func TestShortenJSONKeepsTheShape(t *testing.T) {
	raw := records(200)
	s, err := ShortenJSON(raw, Options{Bytes: 4000, Subject: Subject{Task: "which customer 137 order is late?"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.JSON) > 4000 || len(s.JSON) < 2500 {
		t.Errorf("%d bytes of 4000", len(s.JSON))
	}
	var out struct {
		Total int
		Next  any
		Items []struct {
			ID    json.Number
			Rate  json.RawMessage
			State string
			Note  string
		}
	}
	d := json.NewDecoder(bytes.NewReader(s.JSON))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	if out.Total != 200 || len(out.Items) < 3 || string(out.Items[0].Rate) != "1.10" || !strings.HasPrefix(string(out.Items[0].ID), "90000000000000000") {
		t.Errorf("total %d, %d items: %s", out.Total, len(out.Items), s.JSON)
	}
	if s.Note == "" || len(Faithful(string(raw), string(s.JSON)+s.Note)) > 0 {
		t.Errorf("note %q; not in the source: %q", s.Note, Faithful(string(raw), string(s.JSON)+s.Note))
	}
}

func TestShortenJSONKeepsToTheSchema(t *testing.T) {
	items := func(b []byte) int {
		var v struct{ Items []any }
		if json.Unmarshal(b, &v) != nil {
			return -1
		}
		return len(v.Items)
	}
	for _, c := range []struct {
		name      string
		raw       string
		bytes     int
		validates func([]byte) bool
		want      error
	}{
		{"all elements are asked for", string(records(5)), 1500, func(b []byte) bool { return items(b) == 5 }, nil},
		{"no text may be cut", string(records(20)), 3000, func(b []byte) bool { return !bytes.Contains(b, []byte("…")) }, nil},
		{"nothing passes", string(records(20)), 3000, func([]byte) bool { return false }, ErrShape},
		{"too small a bound", `{"a":1,"b":{"c":2}}`, 5, func(b []byte) bool { return bytes.Contains(b, []byte("c")) }, ErrShape},
		{"no JSON", "{", 10, nil, ErrNotJSON},
		{"a number that is too long", strings.Repeat("1", 100), 10, nil, ErrTooSmall},
		{"a map of many members", `{"m":{` + strings.Repeat(`"k":"v",`, 999) + `"k":"v"}}`, 200, nil, nil},
		{"a text alone", `"` + strings.Repeat("word ", 999) + `"`, 200, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ShortenJSON([]byte(c.raw), Options{Bytes: c.bytes}, c.validates)
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if err == nil && (len(s.JSON) > c.bytes || !json.Valid(s.JSON) || c.validates != nil && !c.validates(s.JSON)) {
				t.Errorf("%d bytes: %s", len(s.JSON), s.JSON)
			}
		})
	}
}

func FuzzShortenJSON(f *testing.F) {
	f.Add(records(4), 300, "customer 2")
	f.Add([]byte(`[[1,2,[3]],{"a":"`+strings.Repeat("é word ", 60)+`"},null,true,1e-06]`), 60, "")
	f.Add([]byte(`{"a":1,"a":2,"\u00e9":"\ud83d\ude00"}`), 10, "")
	f.Fuzz(func(t *testing.T, raw []byte, bound int, task string) {
		if bound < 0 || bound > 1<<20 || len(raw) > 1<<17 {
			return
		}
		o := Options{Bytes: bound, Subject: Subject{Task: task}}
		s, err := ShortenJSON(raw, o, nil)
		if err != nil {
			return
		}
		if len(s.JSON) > bound || !json.Valid(s.JSON) {
			t.Errorf("%d bytes of %d: %s", len(s.JSON), bound, s.JSON)
		}
		again, _ := ShortenJSON(raw, o, nil)
		if !bytes.Equal(again.JSON, s.JSON) || again.Note != s.Note {
			t.Errorf("differs the second time")
		}
	})
}
