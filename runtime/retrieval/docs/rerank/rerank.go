package rerank

import (
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Chatter answers a request. A model.Limiter is a Chatter.
type Chatter interface {
	Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error)
}

// Judge lets a model judge passages. It is safe for concurrent use.
type Judge struct {
	From   Chatter
	Model  string // identifies it, and its server
	Prompt string
	Top    int           // number of passages of a search
	Time   time.Duration // limit of one reply
	Weight float64       // of a verdict in the score
	Most   int           // maximum bytes of a passage that are shown
	Mask   func(string) string

	mu    sync.Mutex
	known map[key]*list.Element
	order list.List // of verdict, the latest first
}

// Most is the best verdict.
const Most = 3

// remembered limits the verdicts that are kept.
const remembered = 20_000

type key [sha256.Size]byte

type verdict struct {
	key   key
	score int
}

// Scores judges passages, each 0 to Most, in their order.
func (j *Judge) Scores(ctx context.Context, question string, passages []string) ([]int, error) {
	out, keys := make([]int, len(passages)), make([]key, len(passages))
	var unknown []int
	for i, p := range passages {
		keys[i] = j.key(question, p)
		var ok bool
		if out[i], ok = j.recall(keys[i]); !ok {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.Time)
	defer cancel()
	reply, err := j.From.Chat(ctx, j.buildRequest(question, passages, unknown), nil)
	if err != nil {
		return nil, err
	}
	scores, err := Parse(reply.Text(), len(unknown))
	if err != nil {
		return nil, err
	}
	for k, i := range unknown {
		out[i] = scores[k]
		j.remember(keys[i], scores[k])
	}
	return out, nil
}

// buildRequest returns the request to the model.
func (j *Judge) buildRequest(question string, passages []string, of []int) model.Request {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n", j.maskText(question))
	for n, i := range of {
		fmt.Fprintf(&b, "\n[%d] %s\n", n+1, truncateText(j.maskText(passages[i]), j.Most))
	}
	return model.Request{
		Messages:  []model.Message{{Role: model.System, Content: j.Prompt}, {Role: model.User, Content: b.String()}},
		Schema:    &model.Schema{Name: "scores", JSON: schemaOf(len(of))},
		MaxTokens: 40 + 24*len(of),
	}
}

// schemaOf returns the JSON schema of a reply.
func schemaOf(n int) json.RawMessage {
	return fmt.Appendf(nil, `{"type":"object","additionalProperties":false,"required":["scores"],"properties":{"scores":{"type":"array","minItems":%d,"maxItems":%d,"items":{"type":"object","additionalProperties":false,"required":["passage","score"],"properties":{"passage":{"type":"integer","minimum":1,"maximum":%d},"score":{"type":"integer","minimum":0,"maximum":%d}}}}}}`, n, n, n, Most)
}

// ErrReply reports that a reply is not a verdict.
var ErrReply = errors.New("the reply is not a verdict on the passages")

// Parse parses the verdicts on n passages, and accepts nothing else.
func Parse(text string, n int) ([]int, error) {
	var reply struct {
		Scores []struct {
			Passage *int `json:"passage"`
			Score   *int `json:"score"`
		} `json:"scores"`
	}
	d := json.NewDecoder(bytes.NewReader([]byte(stripFence(text))))
	d.DisallowUnknownFields()
	if err := d.Decode(&reply); err != nil {
		return nil, fmt.Errorf("%w: it is not the JSON that was asked for", ErrReply)
	}
	if d.More() {
		return nil, fmt.Errorf("%w: there is more behind it", ErrReply)
	}
	if len(reply.Scores) != n {
		return nil, fmt.Errorf("%w: %d scores for %d passages", ErrReply, len(reply.Scores), n)
	}
	out, seen := make([]int, n), make([]bool, n)
	for _, s := range reply.Scores {
		switch {
		case s.Passage == nil || s.Score == nil:
			return nil, fmt.Errorf("%w: a score without its passage", ErrReply)
		case *s.Passage < 1 || *s.Passage > n || seen[*s.Passage-1]:
			return nil, fmt.Errorf("%w: passage %d is not there, or is judged twice", ErrReply, *s.Passage)
		case *s.Score < 0 || *s.Score > Most:
			return nil, fmt.Errorf("%w: a score of %d: want 0 to %d", ErrReply, *s.Score, Most)
		}
		seen[*s.Passage-1], out[*s.Passage-1] = true, *s.Score
	}
	return out, nil
}

// stripFence removes the fence that models put around JSON.
func stripFence(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok {
		rest = strings.TrimPrefix(rest, "json")
		if inner, ok := strings.CutSuffix(rest, "```"); ok {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

func (j *Judge) maskText(s string) string {
	if j.Mask == nil {
		return s
	}
	return j.Mask(s)
}

// truncateText returns the beginning of a text, in whole characters.
func truncateText(text string, bytes int) string {
	if bytes <= 0 || len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}

func (j *Judge) key(question, passage string) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %q", j.Model, j.Prompt, question, j.Most, passage))
}

func (j *Judge) recall(k key) (int, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at, ok := j.known[k]
	if !ok {
		return 0, false
	}
	j.order.MoveToFront(at)
	return at.Value.(verdict).score, true
}

func (j *Judge) remember(k key, score int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.known == nil {
		j.known = map[key]*list.Element{}
	}
	if _, ok := j.known[k]; ok {
		return
	}
	j.known[k] = j.order.PushFront(verdict{k, score})
	for j.order.Len() > remembered {
		last := j.order.Back()
		delete(j.known, last.Value.(verdict).key)
		j.order.Remove(last)
	}
}
