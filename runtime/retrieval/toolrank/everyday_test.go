package toolrank

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sharedServers are the tools of the servers in testdata, as a gateway reads them, and
// the names by which the lists of requests know them.
func sharedServers(t testing.TB) (docs []Doc, ids []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata/servers holds no server: %v", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Instructions string
			Tools        []struct {
				Name, Title, Description string
				Annotations              struct{ Title string }
				InputSchema              schema
			}
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, x := range s.Tools {
			d := Doc{Name: x.Name, Title: cmp.Or(x.Title, x.Annotations.Title), Description: x.Description, Server: server, ServerText: s.Instructions}
			for _, name := range sorted(x.InputSchema.Properties) {
				v := x.InputSchema.Properties[name]
				p := Param{Name: name, Description: v.Description, Required: slices.Contains(x.InputSchema.Required, name)}
				for _, e := range v.Enum {
					p.Enum = append(p.Enum, fmt.Sprint(e))
				}
				d.Params = append(d.Params, p)
			}
			docs = append(docs, d)
			ids = append(ids, server+"/"+x.Name)
		}
	}
	return docs, ids
}

// wish is a request with the tools that do each of its steps; without steps
// nothing serves it.
type wish struct {
	text  string
	steps [][]string
}

func wishes(t testing.TB, path string) (served, unserved []wish) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		text, gold, ok := strings.Cut(strings.TrimSpace(line), " =>")
		if !ok || text[0] == '#' {
			continue
		}
		if strings.TrimSpace(gold) == "" {
			unserved = append(unserved, wish{text: text})
			continue
		}
		w := wish{text: text}
		for step := range strings.SplitSeq(gold, ";") {
			w.steps = append(w.steps, strings.Fields(step))
		}
		served = append(served, w)
	}
	return served, unserved
}

// outcome counts how requests went.
type outcome struct {
	asked, first, three, doubted float64 // requests, with a right tool first and among three, and called the nearest
	steps, done                  float64 // of requests of several steps, those with a tool among five
	cannot, honest               float64
}

func (o outcome) String() string {
	return fmt.Sprintf("right first %.2f, in three %.2f, doubted %.2f of %.0f; steps in five %.2f of %.0f; honest %.2f of %.0f",
		o.first/o.asked, o.three/o.asked, o.doubted/o.asked, o.asked, o.done/max(o.steps, 1), o.steps, o.honest/o.cannot, o.cannot)
}

func (o *outcome) add(w wish, got []string) {
	o.asked++
	among := func(names, step []string) bool {
		return slices.ContainsFunc(names, func(s string) bool { return slices.Contains(step, s) })
	}
	any := slices.Concat(w.steps...)
	if among(got[:min(len(got), 1)], any) {
		o.first++
	}
	if among(got[:min(len(got), 3)], any) {
		o.three++
	}
	if len(w.steps) > 1 {
		for _, step := range w.steps {
			o.steps++
			if among(got[:min(len(got), 5)], step) {
				o.done++
			}
		}
	}
}

// What of all forty requests must be served and of all twenty refused: the
// figures may move by a request or two.
const (
	minInThree = 0.85
	minHonest  = 0.85
	maxLeft    = 0.3 // of the requests that are served: called the nearest
)

// TestEveryday asks twelve public servers for what people want of them, and for
// what none of them can do. Run it with -v for the figures of both halves.
func TestEveryday(t *testing.T) {
	o := ask(t, "testdata/everyday.txt", t.Logf)
	if o.three < minInThree*o.asked || o.honest < minHonest*o.cannot || o.doubted > maxLeft*o.asked {
		t.Errorf("want %.2f in three, %.2f honest and at most %.2f doubted: %v", minInThree, minHonest, maxLeft, o)
	}
}

// ask prints the figures of a list of requests by halves and returns those of
// all of it. miss is told what goes wrong in the first half.
func ask(t *testing.T, path string, miss func(format string, args ...any)) outcome {
	t.Helper()
	docs, ids := sharedServers(t)
	w := standardWeights()
	override(t, &w, os.Getenv("COMPACTOR_TOOLRET_WEIGHTS"))
	ix, peer := buildIndex(docs, w), newPeer(docs, true)
	var all, theirs [2]outcome
	served, unserved := wishes(t, path)
	for i, q := range served {
		half := i % 2
		r := ix.Search(q.text, Options{Limit: 5})
		got, before := idsOf(ids, docsOf(r)), all[half]
		all[half].add(q, got)
		if r.Unsure || r.Nothing {
			all[half].doubted++
		}
		theirs[half].add(q, idsOf(ids, peer.search(q.text, 5)))
		if half == 0 && (all[half].three == before.three || r.Unsure || all[half].steps-before.steps > all[half].done-before.done) {
			miss("%q gives %v, %.2f, missed %v; wants %v", q.text, got, r.Confidence, r.Missed, q.steps)
		}
	}
	for i, q := range unserved {
		half := i % 2
		r := ix.Search(q.text, Options{Limit: 5})
		all[half].cannot++
		if r.Nothing || r.Unsure {
			all[half].honest++
		} else if half == 0 {
			miss("%q gives %v by %v, %.2f", q.text, idsOf(ids, docsOf(r)), r.Hits[0].Why, r.Confidence)
		}
		theirs[half].cannot++
	}
	for half, name := range halves {
		t.Logf("%s, %s: %v", filepath.Base(path), name, all[half])
		t.Logf("%s, %s, stemmed BM25: %v", filepath.Base(path), name, theirs[half])
	}
	return all[0].and(all[1])
}

func (o outcome) and(p outcome) outcome {
	return outcome{o.asked + p.asked, o.first + p.first, o.three + p.three, o.doubted + p.doubted,
		o.steps + p.steps, o.done + p.done, o.cannot + p.cannot, o.honest + p.honest}
}

func idsOf(ids []string, docs []int) (out []string) {
	for _, d := range docs {
		out = append(out, ids[d])
	}
	return out
}

// minFresh is what of the second list must have a right tool among three.
const minFresh = 0.7

// TestFreshRequests asks what nobody looked at while the ranking was made. Its
// requests that none can serve are too few for a bound.
func TestFreshRequests(t *testing.T) {
	if o := ask(t, "testdata/fresh.txt", t.Logf); o.three < minFresh*o.asked {
		t.Errorf("want %.2f in three: %v", minFresh, o)
	}
}

// minBlind and minBlindHonest bound the list that somebody else wrote.
const (
	minBlind       = 0.6
	minBlindHonest = 0.5
)

// TestBlindRequests asks what somebody wrote who had not seen the ranking. What
// goes wrong is not printed: nothing is to be developed on it.
func TestBlindRequests(t *testing.T) {
	o := ask(t, "testdata/blind.txt", func(string, ...any) {})
	if o.three < minBlind*o.asked || o.honest < minBlindHonest*o.cannot {
		t.Errorf("want %.2f in three and %.2f honest: %v", minBlind, minBlindHonest, o)
	}
}
