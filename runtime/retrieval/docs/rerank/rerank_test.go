package rerank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]int{
		`{"scores":[{"passage":2,"score":0},{"passage":1,"score":3}]}`:                         {3, 0},
		"```json\n{\"scores\":[{\"passage\":1,\"score\":1},{\"passage\":2,\"score\":2}]}\n```": {1, 2},
		`{"scores":[{"passage":1,"score":3}]}`:                                                 nil,
		`{"scores":[{"passage":1,"score":3},{"passage":1,"score":3}]}`:                         nil,
		`{"scores":[{"passage":1,"score":4},{"passage":2,"score":3}]}`:                         nil,
		`{"scores":[{"passage":0,"score":1},{"passage":2,"score":3}]}`:                         nil,
		`{"scores":[{"passage":1,"score":1.5},{"passage":2,"score":3}]}`:                       nil,
		`{"scores":[{"passage":1},{"passage":2,"score":3}]}`:                                   nil,
		`{"scores":[{"passage":1,"score":1},{"passage":2,"score":3}],"why":"x"}`:               nil,
		`{"scores":[{"passage":1,"score":1},{"passage":2,"score":3}]} Done.`:                   nil,
		`Passage 1 is best.`: nil,
		"":                   nil,
	} {
		got, err := Parse(text, 2)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) || err != nil && !errors.Is(err, ErrReply) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"scores":[{"passage":1,"score":3}]}`, 1)
	f.Add("```", 0)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 || n > 100 {
			return
		}
		got, err := Parse(text, n)
		if err != nil {
			return
		}
		if len(got) != n || n > 0 && (slices.Min(got) < 0 || slices.Max(got) > Most) {
			t.Errorf("%q: %v", text, got)
		}
	})
}

// counting judges by the digit that a passage ends with, after a while.
type counting struct {
	shown []string
	wait  time.Duration
}

func (c *counting) Chat(ctx context.Context, req model.Request, _ func(model.Delta)) (*model.Reply, error) {
	select {
	case <-time.After(c.wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	text := req.Messages[1].Content
	c.shown = append(c.shown, text)
	var scores []string
	for i, p := range strings.Split(text, "\n\n[")[1:] {
		p = strings.TrimSpace(p)
		scores = append(scores, fmt.Sprintf(`{"passage":%d,"score":%s}`, i+1, p[len(p)-1:]))
	}
	return &model.Reply{Reasoning: `{"scores":[` + strings.Join(scores, ",") + `]}`}, nil
}

// Only what was not judged before is shown, masked, and each of it once.
func TestVerdictsAreRemembered(t *testing.T) {
	c := &counting{}
	j := &Judge{From: c, Model: "m", Prompt: "p", Time: time.Minute, Most: 100, Mask: func(s string) string { return strings.ReplaceAll(s, "hunter2", "•") }}
	for _, passages := range [][]string{{"a hunter2 3", "b 0"}, {"b 0", "c 1", "a hunter2 3"}} {
		got, err := j.Scores(t.Context(), "q", passages)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range passages {
			if fmt.Sprint(got[i]) != p[len(p)-1:] {
				t.Errorf("%q is judged %d", p, got[i])
			}
		}
	}
	if len(c.shown) != 2 || strings.Contains(c.shown[0], "hunter2") || strings.Contains(c.shown[1], "b 0") {
		t.Errorf("shown: %q", c.shown)
	}
	j.Prompt = "another"
	if _, err := j.Scores(t.Context(), "q", []string{"b 0"}); err != nil || len(c.shown) != 3 {
		t.Errorf("verdicts of another prompt are taken: %v", err)
	}
}

func TestJudgeEndsInTime(t *testing.T) {
	j := &Judge{From: &counting{wait: time.Minute}, Time: 10 * time.Millisecond, Most: 100}
	if _, err := j.Scores(t.Context(), "q", []string{"a 1", "b 2"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
