package dashboard

import (
	"net/http"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Limits of the page of answers. Each session is read whole.
const (
	maxAnswers  = 200
	maxAnswered = 100 // sessions
)

// answersBody has the data of the page of answers.
type answersBody struct {
	Kept    bool // a timeline is kept
	Answers []answerRow
}

// answerRow is an answer from documents.
type answerRow struct {
	At         time.Time
	Session    string
	Question   string
	Client     string
	Searches   int
	Cited      int
	Confidence string // or the outcome, without an answer
	Answered   bool
}

func (d *dash) serveAnswers(w http.ResponseWriter, r *http.Request) {
	b := answersBody{Kept: d.opt.Timeline != nil}
	if b.Kept {
		list, err := timeline.Answers(r.Context(), d.opt.Timeline, timeline.AnswerQuery{Max: maxAnswers, Within: maxAnswered})
		if err != nil {
			d.timelineError(w, err)
			return
		}
		for _, a := range list {
			row := answerRow{At: a.At, Session: a.Session, Question: d.safeLine(a.Question, shortText), Client: d.safeLine(a.Client, 60), Searches: len(a.Searches),
				Cited: len(a.Citations) + a.Unnamed, Confidence: d.safeLine(a.Confidence, 20), Answered: a.Outcome == "ok"}
			if row.Confidence == "" || !row.Answered {
				row.Confidence = d.safeLine(a.Outcome, 20)
			}
			b.Answers = append(b.Answers, row)
		}
	}
	d.sendPage(w, http.StatusOK, "answers", page{Title: "Answers", At: "answers", Body: b})
}
