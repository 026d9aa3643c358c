package library_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// meanings are what the server of the tests knows of words: one direction for each row.
var meanings = [][]string{{"car", "automobile", "vehicle"}, {"doctor", "physician"}, {"retry", "again"}}

// embedServer speaks /v1/embeddings on a socket. broken makes it refuse.
type embedServer struct {
	url    string
	asked  atomic.Int64 // texts
	broken atomic.Bool
	after  atomic.Int64 // texts until it breaks; 0 for never
}

func newEmbedServer(t *testing.T) *embedServer {
	s := &embedServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"e","object":"model","owned_by":"me"}]}`)
	})
	mux.HandleFunc("/v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Input) > 32 {
			http.Error(w, "too much", 400)
			return
		}
		if n := s.asked.Add(int64(len(in.Input))); s.broken.Load() || s.after.Load() > 0 && n > s.after.Load() {
			http.Error(w, "out of memory", 500)
			return
		}
		var data []map[string]any
		for i, text := range in.Input {
			data = append(data, map[string]any{"index": i, "embedding": meaning(text)})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "e", "data": data})
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	s.url = "http://" + l.Addr().String() + "/v1"
	return s
}

func meaning(text string) []float64 {
	v := make([]float64, len(meanings)+1)
	v[len(meanings)] = 0.1
	for i, list := range meanings {
		for _, w := range list {
			v[i] += float64(strings.Count(strings.ToLower(text), w))
		}
	}
	return v
}

// tier asks the server as a configuration's model would be asked.
func (s *embedServer) tier(t *testing.T) library.Tier {
	t.Helper()
	e, err := openai.New(model.Options{Name: "e", URL: s.url, Model: "e"})
	if err != nil {
		t.Fatal(err)
	}
	return library.Tier{Weight: 0.5, Tier: &vectors.Endpoint{From: model.NewLimiter("e", e, 1, 0), Model: "e", Wait: time.Minute}}
}

func indexWith(t *testing.T, s library.Shelf, dir string, tiers ...library.Tier) library.Report {
	t.Helper()
	x, done, err := indexer(s, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	x.Tiers = tiers
	r, err := x.Run(t.Context(), library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func manual(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "cars.md", "# Parking\n\nLeave your automobile behind the house.\n")
	write(t, dir, "health.md", "# Health\n\nA physician comes on Mondays.\n")
	write(t, dir, "food.md", "# Food\n\nSoup is served at noon.\n")
	return dir
}

// A passage is found by what it means where no word of the question stands in it, the
// parts of a score add up, and what was made is not made again.
func TestEndpointFindsByMeaning(t *testing.T) { onEach(t, endpointFindsByMeaning) }

func endpointFindsByMeaning(t *testing.T) {
	dir, server := manual(t), newEmbedServer(t)
	s := shelf(t, place(t, "guide"))
	tier := server.tier(t)
	r := indexWith(t, s, dir, tier)
	if len(r.Vectors) != 1 || r.Vectors[0].Made != 3 || r.Vectors[0].Error != "" {
		t.Fatalf("%+v", r.Vectors)
	}
	l := library.Open(s)
	q := library.Query{Text: "where can a car stay", Limit: 3, Explain: true, Tiers: []library.Tier{tier}}
	for range 2 {
		a, err := l.Search(t.Context(), q)
		if err != nil || len(a.Found) == 0 || a.Found[0].Document.URI != "guide/cars.md" || len(a.Notes) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		sum := 0.0
		for _, leg := range a.Found[0].Legs {
			sum += leg.Score
			parts := 0.0
			for _, p := range leg.Parts {
				parts += p.Score
			}
			if math.Abs(parts-leg.Raw) > 1e-6 {
				t.Errorf("%s: parts %v of %v: %+v", leg.Leg, parts, leg.Raw, leg.Parts)
			}
		}
		if math.Abs(sum-a.Found[0].Score) > 1e-9 {
			t.Errorf("legs add up to %v of %v", sum, a.Found[0].Score)
		}
	}
	if n := server.asked.Load(); n != 4 {
		t.Errorf("%d texts were sent: want three passages and one question", n)
	}
	write(t, dir, "food.md", "# Food\n\nSoup is served again at noon.\n")
	if r := indexWith(t, s, dir, tier); r.Vectors[0].Made != 1 {
		t.Errorf("%+v of one changed file", r.Vectors)
	}
	only := q
	only.Only.Path = "health.md"
	if a, err := l.Search(t.Context(), only); err != nil || len(a.Found) > 1 || len(a.Found) == 1 && a.Found[0].Document.URI != "guide/health.md" {
		t.Errorf("the leg went beyond the filter: %+v, %v", a.Found, err)
	}
}

// An endpoint that is away costs its leg and nothing else, and what it has missed is made
// by the next run.
func TestEndpointThatFails(t *testing.T) { onEach(t, endpointThatFails) }

func endpointThatFails(t *testing.T) {
	dir, server := t.TempDir(), newEmbedServer(t)
	for i := range 80 {
		write(t, dir, fmt.Sprintf("d%02d.md", i), fmt.Sprintf("# Note %d\n\nAn automobile of number %d.\n", i, i))
	}
	s := shelf(t, place(t, "guide"))
	server.after.Store(40)
	r := indexWith(t, s, dir, server.tier(t))
	if !r.Published || len(r.Vectors) != 1 || r.Vectors[0].Made != 32 || r.Vectors[0].Missing != 48 || r.Vectors[0].Error == "" {
		t.Fatalf("published %v, %+v", r.Published, r.Vectors)
	}
	jobs, err := s.Jobs(t.Context(), library.Failed, 0)
	if err != nil || len(jobs) != 1 || jobs[0].Stage != library.Embed {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
	l := library.Open(s)
	a, err := l.Search(t.Context(), library.Query{Text: "number 7", Limit: 3, Tiers: []library.Tier{server.tier(t)}})
	if err != nil || len(a.Found) == 0 || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "embeddings takes no part") {
		t.Fatalf("%+v, %v", a.Notes, err)
	}
	server.after.Store(0)
	before := server.asked.Load()
	if r = indexWith(t, s, dir, server.tier(t)); r.Vectors[0].Made != 48 || r.Vectors[0].Error != "" || server.asked.Load()-before != 48 {
		t.Errorf("%+v, %d texts", r.Vectors, server.asked.Load()-before)
	}
	if jobs, err = s.Jobs(t.Context(), library.Failed, 0); err != nil || len(jobs) > 0 {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
	// all of it is in the leg now, without a new version
	if a, err = l.Search(t.Context(), library.Query{Text: "car", Limit: 3, Tiers: []library.Tier{server.tier(t)}}); err != nil || len(a.Notes) > 0 {
		t.Errorf("%+v, %v", a.Notes, err)
	}
}

// A table of words in a file is a leg of its own, whose parts are words.
func TestStaticTable(t *testing.T) { onEach(t, staticTable) }

func staticTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words.txt")
	table := "the 0.1 0.1 0.1\ncar 1 0 0\nautomobile 0.9 0.1 0\nphysician 0 1 0\nsoup 0 0 1\ndoctor 0.1 0.9 0\n"
	if err := os.WriteFile(path, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	static, err := vectors.OpenStatic(os.DirFS(filepath.Dir(path)), "words.txt")
	if err != nil {
		t.Fatal(err)
	}
	tier := library.Tier{Tier: static, Weight: 0.3}
	dir, s := manual(t), shelf(t, place(t, "guide"))
	indexWith(t, s, dir, tier)
	a, err := library.Open(s).Search(t.Context(), library.Query{Text: "doctor", Limit: 3, Explain: true, Tiers: []library.Tier{tier}})
	if err != nil || len(a.Found) == 0 || a.Found[0].Document.URI != "guide/health.md" {
		t.Fatalf("%+v, %v", a, err)
	}
	legs := a.Found[0].Legs
	if leg := legs[len(legs)-1]; leg.Leg != vectors.LegStatic || leg.Parts[0].Key != "doctor" {
		t.Errorf("%+v", leg)
	}
}

// A judge turns the order round; one that does not answer leaves it as it was, and says so.
func TestJudge(t *testing.T) { onEach(t, judge) }

func judge(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md", "# Ports\n\nThe port of the server. The port, the port.\n")
	write(t, dir, "b.md", "# Listening\n\nThe server listens on port 8080.\n")
	s := shelf(t, place(t, "guide"))
	indexed(t, s, dir)
	l := library.Open(s)
	q := library.Query{Text: "port", Limit: 2}
	plain, err := l.Search(t.Context(), q)
	if err != nil || len(plain.Found) != 2 {
		t.Fatalf("%+v, %v", plain, err)
	}
	talk := &scripted{}
	q.Judge = &rerank.Judge{From: talk, Model: "m", Prompt: "judge", Top: 5, Time: time.Minute, Weight: 1, Most: 500}
	talk.say = `{"scores":[{"passage":1,"score":0},{"passage":2,"score":3}]}`
	for range 2 {
		a, err := l.Search(t.Context(), q)
		if err != nil || len(a.Found) != 2 || a.Found[0].ID != plain.Found[1].ID || len(a.Notes) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		legs := a.Found[0].Legs
		if leg := legs[len(legs)-1]; leg.Leg != library.LegJudge || leg.Score != 1 {
			t.Errorf("%+v", leg)
		}
	}
	if talk.asked != 1 {
		t.Errorf("asked %d times for one verdict", talk.asked)
	}
	for _, say := range []string{"passage 2 is best", `{"scores":[{"passage":1,"score":9},{"passage":2,"score":3}]}`, ""} {
		talk.say = say
		q.Text = "port " + fmt.Sprint(len(say))
		a, err := l.Search(t.Context(), q)
		if err != nil || len(a.Found) != 2 || a.Found[0].ID != plain.Found[0].ID || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "not judged by a model") {
			t.Errorf("%q: %+v, %v", say, a.Notes, err)
		}
	}
}

// What was typed as a filter holds on every leg, and only there.
func TestFiltersOfTheQuestion(t *testing.T) { onEach(t, filtersOfTheQuestion) }

func filtersOfTheQuestion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "manual/pool.md", "# Pool\n\nThe connection pool keeps connections open.\n")
	write(t, dir, "manual/redis.md", "# Redis\n\nA connection to redis is in no pool.\n")
	write(t, dir, "notes.txt", "The connection is slow. A pool would help.\n")
	old := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "notes.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	server := newEmbedServer(t)
	tier := server.tier(t)
	s := shelf(t, place(t, "guide"))
	indexWith(t, s, dir, tier)
	set := library.Set{{Name: "guide", Tiers: []library.Tier{tier}, Open: func(context.Context) (*library.Library, error) { return library.Open(s), nil }}}
	for question, want := range map[string]string{
		"connection pool":                       "guide/manual/pool.md guide/manual/redis.md guide/notes.txt",
		"connection pool path:manual/**":        "guide/manual/pool.md guide/manual/redis.md",
		"connection -redis":                     "guide/manual/pool.md guide/notes.txt",
		`"connection pool"`:                     "guide/manual/pool.md",
		`"CONNECTION   Pool"`:                   "guide/manual/pool.md",
		"connection kind:txt":                   "guide/notes.txt",
		"connection section:redis":              "guide/manual/redis.md",
		"connection before:2021":                "guide/notes.txt",
		"connection after:2021 -redis":          "guide/manual/pool.md",
		"connection collection:guide kind:text": "guide/notes.txt",
		`connection "is in no pool" -redis`:     "",
	} {
		a, _, err := set.Search(t.Context(), "", library.Query{Text: question, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range a.Found {
			got = append(got, f.Document.URI)
		}
		if !sameSet(got, strings.Fields(want)) {
			t.Errorf("%s: %v, want %s", question, got, want)
		}
	}
	if _, _, err := set.Search(t.Context(), "", library.Query{Text: "x collection:gide"}); err == nil || !strings.Contains(err.Error(), "did you mean guide") {
		t.Errorf("%v", err)
	}
}

// A real server's vectors go the whole way: to the shelf, to the leg and into the score.
func TestRealModelVectors(t *testing.T) {
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			server := pair.Start(t, modeltest.Options{Embed: true})
			e, err := openai.New(model.Options{Name: "e", URL: server.URL + "/v1", Model: server.Model})
			if err != nil {
				t.Fatal(err)
			}
			tier := library.Tier{Weight: 0.5, Tier: &vectors.Endpoint{From: model.NewLimiter("e", e, 1, 0), Model: server.Model, Wait: time.Minute, MostText: 8000}}
			s := shelf(t, place(t, "guide"))
			r := indexWith(t, s, manual(t), tier)
			if len(r.Vectors) != 1 || r.Vectors[0].Made != 3 {
				t.Fatalf("%+v", r.Vectors)
			}
			a, err := library.Open(s).Search(t.Context(), library.Query{Text: "Leave your automobile behind the house.", Limit: 3, Tiers: []library.Tier{tier}})
			if err != nil || len(a.Notes) > 0 || a.Found[0].Document.URI != "guide/cars.md" {
				t.Fatalf("%+v, %v", a, err)
			}
			legs := a.Found[0].Legs
			if leg := legs[len(legs)-1]; leg.Leg != vectors.LegEmbeddings || leg.Raw <= 0 || leg.Raw != leg.Best {
				t.Errorf("%+v", leg)
			}
		})
	}
}

func sameSet(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// scripted says what a test wants said.
type scripted struct {
	say   string
	asked int
}

func (s *scripted) Chat(context.Context, model.Request, func(model.Delta)) (*model.Reply, error) {
	s.asked++
	return &model.Reply{Content: s.say}, nil
}
