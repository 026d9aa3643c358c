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

// tokensBehind returns how many tokens follow the list after some calls.
func (p Prompt) tokensBehind(calls int) int { return p.Begin + calls*p.Call }

// listTokens returns the tokens of a list.
func (p Prompt) listTokens(list []string) int { return len(list) * p.Tool }

// keeper follows one session with a list that is kept.
type keeper struct {
	to         *Kept
	list, best []string
	cover      Mean
	start      Mean // of the first list

	changes, reread, anew, anewReread float64
}

// startSession starts a session with its first list.
func (k *Kept) startSession(r *predict.Ranking, tools []string) *keeper {
	out := &keeper{to: k, list: k.Policy.First(r, toolSize), best: bestOf(r, k.Policy.Max)}
	for _, tool := range slices.Compact(slices.Sorted(slices.Values(tools))) {
		out.start.add(boolCount(slices.Contains(out.list, tool)))
	}
	return out
}

func toolSize(string) int { return DefaultPrompt.Tool }

// bestOf returns the k best tools, sorted by name.
func bestOf(r *predict.Ranking, k int) []string {
	return slices.Sorted(slices.Values(topTools(r, k)))
}

// updateList decides whether the list changes after a call.
func (k *keeper) updateList(r *predict.Ranking, behind int) {
	if now := bestOf(r, k.to.Policy.Max); !slices.Equal(now, k.best) {
		k.best = now
		k.anew++
		k.anewReread += float64(behind + DefaultPrompt.listTokens(now))
	}
	d := k.to.Policy.Next(k.list, r, behind, toolSize)
	if !d.Changed() {
		return
	}
	k.list = d.List
	k.changes++
	k.reread += d.Again
}

// countCall records whether the tool of a call is on the list.
func (k *keeper) countCall(tool string, later, fresh bool) {
	hit := boolCount(slices.Contains(k.list, tool))
	k.to.Tools.add(float64(len(k.list)))
	if later {
		k.to.All.add(hit)
		if fresh {
			k.cover.add(hit)
		}
	}
}

// addSession adds the session to the totals.
func (k *keeper) addSession() {
	if k.cover.n > 0 {
		k.to.Cover.add(k.cover.Value())
	}
	k.to.Start.add(k.start.Value())
	k.to.Changes.add(k.changes)
	k.to.Reread.add(k.reread)
	k.to.Anew.add(k.anew)
	k.to.AnewReread.add(k.anewReread)
}
