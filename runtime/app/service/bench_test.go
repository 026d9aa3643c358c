package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/tools"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// quantiles are how long single operations took.
type quantiles []time.Duration

func (q *quantiles) add(began time.Time) { *q = append(*q, time.Since(began)) }

// measure runs the operations in turns, so that what else the machine does
// falls on all of them alike.
func measure(b *testing.B, names []string, do ...func(i int)) {
	took := make([]quantiles, len(do))
	for i := 0; b.Loop(); i++ {
		for k := range do {
			began := time.Now()
			do[k](i)
			took[k].add(began)
		}
	}
	for k, q := range took {
		slices.Sort(q)
		b.ReportMetric(float64(q[len(q)/2].Nanoseconds())/1e3, names[k]+"-p50-us")
		b.ReportMetric(float64(q[len(q)*99/100].Nanoseconds())/1e3, names[k]+"-p99-us")
	}
	b.ReportMetric(0, "ns/op") // the sum says nothing
}

// BenchmarkDiscovery searches and shows 1,200 upstream tools: plain BM25 over
// names and descriptions, our builtins, and the whole MCP face as a client on
// a pipe sees it, all on the same queries.
func BenchmarkDiscovery(b *testing.B) {
	lists, queries, names := warehouse(1200)
	before := heap()
	svc := newFleet(b, lists).behind(b, "")
	env := &catalog.Env{Upstreams: svc.Gateway().For(gateway.Caller{}), Progress: func(catalog.Progress) {}}
	run := func(builtin catalog.Builtin, input map[string]any) {
		if _, err := builtin.Run(context.Background(), env, input); err != nil {
			b.Fatal(err)
		}
	}
	search := func(i int) map[string]any { return map[string]any{"query": queries[i%len(queries)]} }
	show := func(i int) map[string]any { return map[string]any{"tool": names[i%len(names)]} }
	call := func(tool string, args map[string]any) string {
		params, _ := json.Marshal(map[string]any{"name": tool, "arguments": args})
		return string(params)
	}
	run(tools.Search(func(s string) string { return s }), search(0)) // makes the index
	held := heap() - before
	plain := newBM25(svc)
	face := newFace(b, svc)

	b.Run("search", func(b *testing.B) {
		measure(b, []string{"bm25", "builtin", "face"},
			func(i int) { plain.search(queries[i%len(queries)], 5) },
			func(i int) { run(tools.Search(func(s string) string { return s }), search(i)) },
			func(i int) { face.ask("tools/call", call("search_tools", search(i))) })
		b.ReportMetric(float64(held)/(1<<20), "catalog+index-MiB")
	})
	b.Run("details", func(b *testing.B) {
		measure(b, []string{"builtin", "face"},
			func(i int) { run(tools.Show(), show(i)) },
			func(i int) { face.ask("tools/call", call("get_tool_details", show(i))) })
	})
	runtime.KeepAlive(svc)
}

// heap is what is in use after a collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// warehouse is n tools of 60 servers with queries that they answer, and the
// names they are listed by.
func warehouse(n int) (lists map[string]string, queries, names []string) {
	r := rand.New(rand.NewPCG(1, 2))
	servers := slices.Sorted(maps.Keys(products(60)))
	verbs := strings.Fields("create delete list get update search send convert merge start stop read write export watch")
	words := strings.Fields(`issue page project user comment file invoice event deployment alert message order label branch commit release
		channel thread bucket object table column index query cluster node pod volume secret policy role group team board card sprint
		backlog ticket contact deal campaign segment payment refund subscription product price cart shipment address calendar meeting
		attendee reminder note document folder permission share link image video track playlist forecast route place review form answer
		survey dashboard panel metric log span incident schedule rotation escalation workflow trigger job artifact pipeline environment`)
	some := func(k int, between string) string {
		out := make([]string, k)
		for i := range out {
			out[i] = words[int(float64(len(words))*math.Pow(r.Float64(), 1.5))]
		}
		return strings.Join(out, between)
	}
	parts := map[string][]string{}
	for i := range n {
		server := servers[i%len(servers)]
		verb := verbs[r.IntN(len(verbs))]
		name := fmt.Sprintf("%s_%s_%d", verb, some(2, "_"), i/len(servers))
		var args []string
		for j := range 1 + r.IntN(6) {
			args = append(args, fmt.Sprintf(`"%s_%d":{"type":"string","description":"The %s to use, such as one of the %s."}`, some(1, ""), j, some(2, " "), some(3, " ")))
		}
		parts[server] = append(parts[server], fmt.Sprintf(`{"name":"%s","description":"Lets you %s the %s. Works with %s, and needs %s.","inputSchema":{"type":"object","properties":{%s}}}`,
			name, verb, some(3, " "), some(6, " "), some(4, " "), strings.Join(args, ",")))
		names = append(names, server+"__"+name)
		queries = append(queries, []string{verb + " " + some(1, ""), "I would like to " + verb + " the " + some(3, " ") + " of " + some(2, " ") + ", tomorrow at 5 pm",
			"First tell me about " + some(12, " ") + ". Then " + verb + " all " + some(6, " ") + " and reciepts"}[i%3])
	}
	lists = map[string]string{}
	for server, list := range parts {
		lists[server] = strings.Join(list, ",")
	}
	return lists, queries, names
}

// bm25 is plain BM25 over names and descriptions, what most gateways do.
type bm25 struct {
	posts map[string]map[int]float64
	size  []float64
	mean  float64
}

func newBM25(svc *service.Service) *bm25 {
	list := svc.Gateway().Tools(context.Background()).List
	x := &bm25{posts: map[string]map[int]float64{}, size: make([]float64, len(list))}
	for i, t := range list {
		for _, w := range plainWords(t.Name + " " + t.Description) {
			if x.posts[w] == nil {
				x.posts[w] = map[int]float64{}
			}
			x.posts[w][i]++
			x.size[i]++
			x.mean += 1 / float64(len(list))
		}
	}
	return x
}

func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

func (x *bm25) search(text string, limit int) []int {
	score := map[int]float64{}
	for _, w := range plainWords(text) {
		posts := x.posts[w]
		idf := math.Log(1 + (float64(len(x.size))-float64(len(posts))+0.5)/(float64(len(posts))+0.5))
		for d, n := range posts {
			score[d] += idf * n * 2.2 / (n + 1.2*(0.25+0.75*x.size[d]/x.mean))
		}
	}
	list := slices.SortedFunc(maps.Keys(score), func(a, b int) int {
		if score[a] != score[b] {
			if score[a] > score[b] {
				return -1
			}
			return 1
		}
		return a - b
	})
	return list[:min(limit, len(list))]
}
