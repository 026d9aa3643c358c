package shared_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// What a call pays for a session that is shared, and what a client waits for where it begins, is listed tools, or moves.
func BenchmarkShared(b *testing.B) {
	for name, url := range map[string]string{"sqlite": b.TempDir() + "/s.db", "postgres": storetest.Shared(b).URL()} {
		p := begin(b, url, "")
		ids := make([]string, 200)
		for i := range ids {
			ids[i] = rand.Text()
			p.open(ids[i])
		}
		s := p.sessions.Get(ids[0])
		text := make([]byte, 50_000)
		run := func(what string, do func(i int)) {
			b.Run(name+"/"+what, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					do(i)
				}
			})
		}
		run("call", func(i int) {
			p.Used(ids[i%200])
			call(s, "t")
		})
		run("long_result", func(i int) { p.PutResult(ids[i%200], fmt.Sprint(i%50), nil, text) })
		run("list", func(i int) {
			p.Refresh(context.Background(), ids[1])
			p.sessions.Get(ids[1]).SetListedTools([]string{"a", fmt.Sprint(i)}, true)
			p.Save(context.Background(), ids[1])
		})
		run("same_list", func(int) { p.Refresh(context.Background(), ids[1]) })
		run("resume", func(i int) {
			other := session.NewStore()
			_, err := p.Resume(context.Background(), ids[2+i%190], func(m session.Memory) (*session.Session, error) {
				s := other.Open(session.Who{ID: "x"})
				s.Merge(m)
				return s, nil
			})
			if err != nil && err != shared.ErrUnknown {
				b.Fatal(err)
			}
		})
		run("begin", func(int) { p.open(rand.Text()) })
	}
}
