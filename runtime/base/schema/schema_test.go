package schema

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Path string `json:"path" doc:"where"`
}

type sample struct {
	Question string         `json:"question" doc:"what is asked"`
	Limit    int            `json:"limit" doc:"at most" default:"8" min:"1" max:"50"`
	Kind     string         `json:"kind,omitempty" enum:"a,b"`
	List     []inner        `json:"list"`
	Note     *string        `json:"note" doc:"may be null"`
	More     map[string]any `json:"more,omitempty"`
	Time     time.Duration  `json:"time"`
	hidden   int
	Skipped  int `json:"-"`
}

func TestFromType(t *testing.T) {
	_ = sample{}.hidden
	got := string(MustFromType(reflect.TypeFor[sample]()).JSON())
	want := `{"type":"object","properties":{` +
		`"question":{"type":"string","description":"what is asked"},` +
		`"limit":{"type":"integer","description":"at most","default":8,"minimum":1,"maximum":50},` +
		`"kind":{"type":"string","enum":["a","b"]},` +
		`"list":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string","description":"where"}},"required":["path"],"additionalProperties":false}},` +
		`"note":{"type":["string","null"],"description":"may be null"},` +
		`"more":{"type":"object","properties":{},"additionalProperties":{}},` +
		`"time":{"type":"integer"}},"required":["question","list","note","time"],"additionalProperties":false}`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !json.Valid([]byte(got)) {
		t.Error("not JSON")
	}
}

type loop struct {
	Next *loop `json:"next"`
}

func TestRecursiveTypesAreRefused(t *testing.T) {
	if _, err := FromType(reflect.TypeFor[loop]()); err == nil {
		t.Error("a type that contains itself has a schema")
	}
	if _, err := FromType(reflect.TypeFor[chan int]()); err == nil {
		t.Error("a channel has a schema")
	}
}
