package task

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

const judgeRules = fence.Rule + `
Refer to candidates by their number only. ` + objectRules

const askJudge = `Put the candidates in order by how well each answers the question, the best first. Give each number once.
Form: {"order": [2, 1]}`

// judgeTask returns the task that ranks candidates. The model gives their numbers, because no
// server in use returns log-probabilities through model.Reply. Candidates that it does
// not name follow in their original order.
func judgeTask() Task {
	in := object(
		required("question", &schema.Schema{Type: schema.String, Doc: "what the candidates are held against"}),
		required("candidates", &schema.Schema{Type: schema.Array, Doc: "what is put in order", Items: &schema.Schema{Type: schema.String}}))
	zero := 0.0
	out := object(required("order", &schema.Schema{Type: schema.Array, Doc: "places in the list of candidates, from 0, the best first; each once",
		Items: &schema.Schema{Type: schema.Integer, Min: &zero}}))
	return Task{Name: "judge", Kind: "ranking", Doc: "put candidates in order by how well they answer a question", In: in, Out: out, Asked: "question",
		Rules: judgeRules, TokensIn: 3000, TokensOut: 160, Form: &Form{
			Put: putJudge,
			Apply: func(c *Case, q Question, reply map[string]any) (map[string]any, int, bool) {
				return applyJudge(c, q, reply, out)
			},
			TokensOut: func(c *Case) int { return 60 + 5*len(c.Texts()) },
		}}
}

func putJudge(c *Case, room int) Question {
	text, asked := c.writeLead(room/4, func(room int) (string, string) {
		q := Shortened(c.Question, room)
		return "Question: " + q, q
	})
	var list []Candidate
	for _, t := range c.Texts() {
		head, rest, more := strings.Cut(strings.TrimSpace(sanitize.Neutral(t)), "\n")
		cand := Candidate{Head: contract.Shorten(head, 400)}
		if more {
			cand.Lines = strings.Split(rest, "\n")
		}
		list = append(list, cand)
	}
	parts := Pack(list, room-Roughly(text, askJudge, judgeRules))
	shown, n := strings.Join(parts, "\n"), len(parts)
	return Question{Text: text + "\n\nCandidates:\n" + fence.Wrap(shown, asked) + "\n\n" + askJudge, Shown: asked + "\n" + shown, Count: n,
		Shape: judgeShape(n)}
}

func judgeShape(n int) *schema.Schema {
	least := min(n, 1)
	return object(required("order", &schema.Schema{Type: schema.Array, MinLen: &least, MaxLen: &n, Items: &schema.Schema{Type: schema.Integer, Enum: candidateIDs(n)}}))
}

func applyJudge(c *Case, q Question, reply map[string]any, out *schema.Schema) (map[string]any, int, bool) {
	all := c.Texts()
	seen := make([]bool, len(all))
	var order []int
	dropped := 0
	list, _ := reply["order"].([]any)
	for _, e := range list {
		id, ok := toInt(e)
		if !ok || id < 1 || id > min(q.Count, len(all)) || seen[id-1] {
			dropped++
			continue
		}
		seen[id-1] = true
		order = append(order, id-1)
	}
	useful := len(order) > 0
	for i := range all {
		if !seen[i] {
			order = append(order, i)
		}
	}
	places := make([]any, len(order))
	for i, at := range order {
		places[i] = at
	}
	return c.fit(map[string]any{"order": places}, out, dropped, useful)
}

// Texts returns the candidates of the input.
func (c *Case) Texts() []string {
	list, _ := c.Input["candidates"].([]any)
	if plain, ok := c.Input["candidates"].([]string); ok {
		list = toAnys(plain)
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		out = append(out, TextOf(e))
	}
	return out
}
