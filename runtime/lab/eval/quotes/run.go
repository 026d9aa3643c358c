package quotes

import (
	"context"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// Options say how questions are asked.
type Options struct {
	Passages int // found for a question, at most
	Tokens   int // of an answer, at most
}

// Reply is the answer of a method to a case.
type Reply struct {
	Case     string        `json:"case"`
	Question string        `json:"question"`
	Answer   answer.Answer `json:"answer"`
	Tokens   int           `json:"tokens"`
	Right    int           `json:"right"` // citations that match their documents
	Nuggets  *float64      `json:"nuggets,omitempty"`
	Missed   []string      `json:"missed,omitempty"`
}

// Row holds the results of a method.
type Row struct {
	Method    string  `json:"method"`
	Questions int     `json:"questions"` // that the documents answer
	Nuggets   float64 `json:"nuggets"`   // mean share of the facts that are said, nothing said counting 0
	Answered  float64 `json:"answered"`  // share of the questions with three quarters of the facts
	Denied    float64 `json:"denied"`    // share that is left unanswered
	Foreign   int     `json:"foreign"`   // questions that the documents do not answer
	Honest    float64 `json:"honest"`    // share of them that is left unanswered
	Citations int     `json:"citations"`
	Right     float64 `json:"right"`  // share of the citations that match their documents
	Tokens    float64 `json:"tokens"` // mean of an answer
	Calls     float64 `json:"calls"`  // searches per question
	P50       float64 `json:"p50_ms"` // of the time of a question, with its search
	P95       float64 `json:"p95_ms"`
	Replies   []Reply `json:"replies,omitempty"`
}

// Run asks all cases and scores the answers of a method.
func Run(ctx context.Context, l *Library, m Method, cases []answers.Case, o Options, step func()) (Row, error) {
	row := Row{Method: m.Name}
	right, said, calls := 0, 0, 0
	var times []time.Duration
	for _, c := range cases {
		start := time.Now()
		calls++
		passages, err := l.Search(ctx, c.Question, o.Passages)
		if err != nil {
			return row, err
		}
		a, err := m.Answer(c.Question, passages, o.Tokens)
		if err != nil {
			return row, err
		}
		times = append(times, time.Since(start))
		r := Reply{Case: c.ID, Question: c.Question, Answer: a, Tokens: tokens.Count(a.Text), Right: l.countRight(a.Citations)}
		row.Citations += len(a.Citations)
		right += r.Right
		row.addReply(c, &r)
		if a.Abstained == "" {
			said++
			row.Tokens += float64(r.Tokens)
		}
		row.Replies = append(row.Replies, r)
		step()
	}
	row.Nuggets = meanOf(row.Nuggets, row.Questions)
	row.Answered = meanOf(row.Answered, row.Questions)
	row.Denied = meanOf(row.Denied, row.Questions)
	row.Honest = meanOf(row.Honest, row.Foreign)
	row.Right = meanOf(float64(right), row.Citations)
	row.Tokens = meanOf(row.Tokens, said)
	row.Calls = meanOf(float64(calls), len(cases))
	row.P50, row.P95 = ranking.Quantile(times, 0.5), ranking.Quantile(times, 0.95)
	return row, nil
}

// addReply adds a reply to the row.
func (row *Row) addReply(c answers.Case, r *Reply) {
	res := answers.Score(c, answers.Reply{Text: r.Answer.Text, Tokens: r.Tokens}, func(string) bool { return false })
	if res.Honest != nil {
		row.Foreign++
		if r.Answer.Abstained != "" {
			row.Honest++
		}
		return
	}
	row.Questions++
	if r.Answer.Abstained != "" {
		row.Denied++
	}
	if res.Nuggets != nil {
		r.Nuggets, r.Missed = res.Nuggets, res.Missed
		row.Nuggets += *res.Nuggets
		row.Answered += *res.Answered
	}
}

func meanOf(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
