package gateway

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestWhichTimeIsOver wants the limit to be named that ended a call: that of the server, or that of the whole request.
func TestWhichTimeIsOver(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	lake := &tool{UpstreamTool: &catalog.UpstreamTool{Listed: "lake__read", Server: "lake"}}
	for name, c := range map[string]struct {
		ctx  context.Context
		want string
	}{
		"the server's":  {t.Context(), "raise servers.lake.timeout"},
		"the request's": {over, "raise pool.deadline"},
	} {
		if err := new(caller).errorForModel(c.ctx, lake, context.DeadlineExceeded); !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
