package toolrank

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRetrieval measures the ranking on collections of tools with queries. It
// reads NAME_tools.json and NAME_queries.jsonl for every NAME in the directory
// COMPACTOR_TOOLRET; COMPACTOR_TOOLRET_RUNS is where run files go.
func TestRetrieval(t *testing.T) {
	dir := os.Getenv("COMPACTOR_TOOLRET")
	if dir == "" {
		t.Skip("COMPACTOR_TOOLRET names no directory of collections")
	}
	w := standardWeights()
	override(t, &w, os.Getenv("COMPACTOR_TOOLRET_WEIGHTS"))
	all := collections(t, dir)
	var names []string
	var lists [][]sample
	for _, c := range all {
		c.measure(t, w)
		list := c.answers(t, w)
		calibration(t, c.name, list)
		names, lists = append(names, c.name), append(lists, list)
	}
	crossFit(t, names, lists)
}

type collection struct {
	name    string
	ids     []string
	docs    []Doc
	queries []labelled
}

type labelled struct {
	ID    string              `json:"id"`
	Query string              `json:"query"`
	Gold  []string            `json:"gold"`
	Alts  map[string][]string `json:"alts"`
}

func collections(t *testing.T, dir string) []*collection {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*queries.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no *queries.jsonl", dir)
	}
	var out []*collection
	for _, path := range names {
		name := strings.TrimSuffix(filepath.Base(path), "queries.jsonl")
		tools := filepath.Join(dir, name+"tools.json")
		if _, err := os.Stat(tools); err != nil {
			tools = filepath.Join(dir, "tools.json")
		}
		c := &collection{name: name + "queries.jsonl"}
		c.readTools(t, tools)
		c.readQueries(t, path)
		out = append(out, c)
	}
	return out
}

type schema struct {
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Required    []string           `json:"required"`
}

// UnmarshalJSON takes what is not an object for an empty schema.
func (s *schema) UnmarshalJSON(data []byte) error {
	type plain schema
	_ = json.Unmarshal(data, (*plain)(s))
	return nil
}

func (s *schema) params(out []Param) []Param {
	if s == nil {
		return out
	}
	for _, name := range sorted(s.Properties) {
		v := s.Properties[name]
		p := Param{Name: name, Required: slices.Contains(s.Required, name)}
		if v != nil {
			p.Description = v.Description
			for _, e := range v.Enum {
				p.Enum = append(p.Enum, fmt.Sprint(e))
			}
		}
		out = append(out, p)
		if v != nil {
			out = v.params(out)
		}
	}
	return s.Items.params(out)
}

func (c *collection) readTools(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tools []struct {
		Server, Name, Title, Description string
		InputSchema                      *schema
	}
	if err := json.Unmarshal(data, &tools); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, x := range tools {
		c.docs = append(c.docs, Doc{Name: x.Name, Title: x.Title, Description: x.Description, Server: x.Server,
			Params: x.InputSchema.params(nil)})
		c.ids = append(c.ids, x.Server+"/"+x.Name)
	}
}

func (c *collection) readQueries(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var q labelled
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		c.queries = append(c.queries, q)
	}
	if len(c.queries[0].Gold) > 0 && !strings.Contains(c.queries[0].Gold[0], "/") {
		for i := range c.ids {
			_, c.ids[i], _ = strings.Cut(c.ids[i], "/")
		}
	}
}

// override sets weights by name: "K=1.5 Field.0=4".
func override(t *testing.T, w *weights, text string) {
	t.Helper()
	for _, part := range strings.Fields(text) {
		name, value, _ := strings.Cut(part, "=")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%s: %v", part, err)
		}
		name, index, listed := strings.Cut(name, ".")
		v := reflect.ValueOf(w).Elem().FieldByName(name)
		if listed {
			i, _ := strconv.Atoi(index)
			v = v.Index(i)
		}
		v.SetFloat(x)
	}
}
