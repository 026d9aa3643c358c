package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// quantiles reports the median and the 99th percentile of a benchmark's single operations.
type quantiles []time.Duration

func (q *quantiles) add(start time.Time) { *q = append(*q, time.Since(start)) }

func (q quantiles) report(b *testing.B) {
	slices.Sort(q)
	b.ReportMetric(float64(q[len(q)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(q[len(q)*99/100].Microseconds()), "p99-us")
}

// BenchmarkStdio measures one request at a time against a server process on a raw pipe, as a client sees it before it
// decodes.
func BenchmarkStdio(b *testing.B) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"=1")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { in.Close(); cmd.Wait() }()
	r := bufio.NewReaderSize(out, 1<<20)
	ask := func(b *testing.B, request string) {
		var q quantiles
		for b.Loop() {
			start := time.Now()
			io.WriteString(in, request+"\n")
			if _, err := r.ReadSlice('\n'); err != nil {
				b.Fatal(err)
			}
			q.add(start)
		}
		q.report(b)
	}
	for _, era := range eras {
		b.Run("list/"+era.name, func(b *testing.B) { ask(b, era.message("1", "tools/list", "", "")) })
		b.Run("call/"+era.name, func(b *testing.B) {
			ask(b, era.message("1", "tools/call", callParams("echo", `{"text":"hello"}`), ""))
		})
	}
}

// BenchmarkList40 is a list of 40 tools of four parameters each, in process: the cost of the server's own part.
func BenchmarkList40(b *testing.B) {
	s, box := newServer(b)
	for i := range 40 {
		box.mu.Lock()
		box.extra = append(box.extra, server.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Finds what the words describe in the named collection and gives the best matches first.",
			Input: schema(`{"type":"object","properties":{"query":{"type":"string","description":"what to look for"},"limit":{"type":"integer","description":"how many"},` +
				`"collection":{"type":"string","description":"where to look"},"exact":{"type":"boolean","description":"words as written only"}},"required":["query"]}`)})
		box.mu.Unlock()
	}
	box.grow("last")
	p := eras[1].open(b, s)
	request := eras[1].message("1", "tools/list", "", "")
	b.ReportAllocs()
	for b.Loop() {
		p.send(request)
		b.SetBytes(int64(len(p.line())))
	}
}

// BenchmarkHTTP is one call at a time over a kept connection.
func BenchmarkHTTP(b *testing.B) {
	s, _ := newServer(b)
	addr := serve(b, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
	w := &web{b, httpClient(b, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
	body := eras[1].message("1", "tools/call", callParams("echo", `{"text":"hello"}`), "")
	var q quantiles
	for b.Loop() {
		start := time.Now()
		req, _ := http.NewRequest(http.MethodPost, w.url, strings.NewReader(body))
		req.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"}}
		res, err := w.client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		q.add(start)
	}
	q.report(b)
}
