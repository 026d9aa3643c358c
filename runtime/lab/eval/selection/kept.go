package selection

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Kept holds the results, over all sessions, of lists that are changed only if that pays: what
// a client sees that keeps its prompt cached.
type Kept struct {
	Policy  predict.Policy `json:"policy"`
	Tools   Mean           `json:"tools"`   // on a list; mean over calls
	All     Mean           `json:"all"`     // share of calls after the first whose tool was on the list
	Cover   Mean           `json:"cover"`   // as in Score
	Start   Mean           `json:"start"`   // as in Score, of the first list: the only one for a client that lists tools once
	Changes Mean           `json:"changes"` // of the list after the first, per session
	Reread  Mean           `json:"reread"`  // tokens that a model reads again for them, per session

	Anew       Mean `json:"anew"`        // changes if the best tools were sent after each call
	AnewReread Mean `json:"anew_reread"` // tokens for those
}

// Prompt says what a model's prompt is assumed to hold, in tokens.
type Prompt struct {
	Begin int `json:"begin"` // question and system prompt
	Call  int `json:"call"`  // each call with its result
	Tool  int `json:"tool"`  // each tool on the list
}

// DefaultPrompt holds the medians of recorded sessions and of catalogs.
var DefaultPrompt = Prompt{Begin: 1500, Call: 400, Tool: 100}

// behind returns how many tokens follow the list after some calls.
func (p Prompt) behind(calls int) int { return p.Begin + calls*p.Call }

// size returns the tokens of a list.
func (p Prompt) size(list []string) int { return len(list) * p.Tool }

// keeper follows one session with a list that is kept.
type keeper struct {
	to         *Kept
	list, best []string
	cover      Mean
	start      Mean // of the first list

	changes, reread, anew, anewReread float64
}

// begin starts a session with its first list.
func (k *Kept) begin(r *predict.Ranking, tools []string) *keeper {
	out := &keeper{to: k, list: k.Policy.First(r, toolSize), best: bestOf(r, k.Policy.Max)}
	for _, tool := range slices.Compact(slices.Sorted(slices.Values(tools))) {
		out.start.add(count(slices.Contains(out.list, tool)))
	}
	return out
}

func toolSize(string) int { return DefaultPrompt.Tool }

// bestOf returns the k best tools, sorted by name.
func bestOf(r *predict.Ranking, k int) []string {
	return slices.Sorted(slices.Values(first(r, k)))
}

// next decides whether the list changes after a call.
func (k *keeper) next(r *predict.Ranking, behind int) {
	if now := bestOf(r, k.to.Policy.Max); !slices.Equal(now, k.best) {
		k.best = now
		k.anew++
		k.anewReread += float64(behind + DefaultPrompt.size(now))
	}
	d := k.to.Policy.Next(k.list, r, behind, toolSize)
	if !d.Changed() {
		return
	}
	k.list = d.List
	k.changes++
	k.reread += d.Again
}

// step records whether the tool of a call is on the list.
func (k *keeper) step(tool string, later, fresh bool) {
	hit := count(slices.Contains(k.list, tool))
	k.to.Tools.add(float64(len(k.list)))
	if later {
		k.to.All.add(hit)
		if fresh {
			k.cover.add(hit)
		}
	}
}

// end adds the session to the totals.
func (k *keeper) end() {
	if k.cover.n > 0 {
		k.to.Cover.add(k.cover.Value())
	}
	k.to.Start.add(k.start.Value())
	k.to.Changes.add(k.changes)
	k.to.Reread.add(k.reread)
	k.to.Anew.add(k.anew)
	k.to.AnewReread.add(k.anewReread)
}
