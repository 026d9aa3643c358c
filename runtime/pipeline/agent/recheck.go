package agent

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// recheck shows the model each of its accepted sentences again, with only the text shown
// for the candidate that the sentence names. A sentence that the model does not confirm
// is dropped, and so is one that there is no time to ask about.
func (t *roleRun) recheck(ctx context.Context, im task.Improver, points []task.Point, parts []string) []task.Point {
	if !t.role.Recheck {
		return points
	}
	asked, _ := task.All().Get("confirm")
	out := points[:0:0]
	for _, p := range points {
		if strings.TrimSpace(p.Note) != "" {
			p.Note = im.Claim(p.ID, p.Note) // most are dropped here, which costs no question
		}
		if p.Note != "" && !t.standsBy(ctx, asked, p.Note, parts[p.ID]) {
			t.countDropped(1)
			p.Note = ""
		}
		out = append(out, p)
	}
	return out
}

// standsBy asks the model whether a text shows a sentence.
func (t *roleRun) standsBy(ctx context.Context, asked task.Task, claim, text string) bool {
	own, role := *t, *t.role
	role.Task, own.role = asked, &role
	said, err := own.ask(ctx, func(room int) (string, *schema.Schema) {
		q := task.Confirmation(claim, text, room)
		return q.Text, q.Shape
	}, asked.TokensIn, asked.TokensOut)
	return err == nil && task.Confirmed(said)
}
