package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) predictions() *cobra.Command {
	var format, task string
	var most int
	cmd := &cobra.Command{
		Use:     "predictions [TOOL]...",
		GroupID: "look",
		Short:   "Say which upstream tools a session would want, and why",
		Long: `Order the tools of upstream servers by how likely a session still wants each, by
what earlier sessions used, and say what that rests on. Without arguments it is a
session that begins; with names of tools, one that has called these, in this order.

CHANCE is how likely the session still wants the tool; tools that it has called and tools
that were marked have none, and keep their place whatever it is. A share in WHY says how
much of the chance that reason is.

It starts no server: the tools are those that were last seen of each. What a session is
listed is the first of them, as many as gateway.selection says, and no more than are
worth their tokens: GET /predictions/{session} of a running serve has that list.`,
		Example: `  compactor predictions
  compactor predictions github__search_issues github__get_issue
  compactor predictions --task "file a bug about the login page"`,
		Args: requireArgs(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("most") {
				most = -1 // as many as a list has
			}
			return a.predictTools(cmd.Context(), args, task, most, format)
		},
	}
	f := cmd.Flags()
	a.profileFlag(f, "the tools of a profile, by what sessions of it used")
	f.StringVar(&task, "task", "", "what the session is for, in plain words")
	f.IntVar(&most, "most", 20, "tools that are printed; 0 for all; left out, as many as a list has")
	formatFlag(cmd, &format, string(render.Text), string(render.JSON))
	cmd.ValidArgsFunction = a.completeTools
	cmd.AddCommand(a.predictionsMark())
	return cmd
}

// prediction is one tool as it is printed.
type prediction struct {
	Tool   string  `json:"tool"`
	Chance float64 `json:"chance"`
	Why    string  `json:"why"`
}

func (a *app) predictTools(ctx context.Context, called []string, task string, most int, format string) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	svc.Gateway().LoadCached(ctx)
	tools := svc.Gateway().Listed()
	if len(tools) == 0 {
		return exit{exitInvalid, "no tool of an upstream server is known yet: compactor servers starts them and says what they offer"}
	}
	trace, err := traceOf(tools, called, task)
	if err != nil {
		return err
	}
	ranking, err := a.rankTools(ctx, svc, tools, trace)
	if err != nil {
		return err
	}
	if most < 0 {
		most = 0
		if set := svc.Snapshot().Plan.Config.Gateway.Selection; set != nil && (set.Strategy == "" || set.Strategy == "prediction") {
			most = set.Max
		}
	}
	return a.printPredictions(ranking, listedNames(tools), most, format)
}

// traceOf returns the trace of a session that called these tools.
func traceOf(tools []gateway.Listed, called []string, task string) (*predict.Trace, error) {
	t := predict.NewTrace(time.Time{}, task)
	ids, names := map[string]string{}, make([]string, 0, len(tools))
	for _, x := range tools {
		id := idOf(x)
		ids[x.Name], ids[id] = id, id // both spellings: data show and replay have server/tool
		names = append(names, x.Name)
	}
	for _, name := range called {
		id, is := ids[name]
		if !is {
			message := "there is no tool " + oneLine(name)
			if near := diag.Nearest(name, names); near != "" {
				message += "; did you mean " + near + "?"
			}
			return nil, exit{exitInvalid, message + "; " + seeList}
		}
		t.Add(id)
	}
	return t, nil
}

func idOf(t gateway.Listed) string { return predict.Tool{Server: t.Server, Name: t.Tool}.ID() }

func listedNames(tools []gateway.Listed) map[string]string {
	out := make(map[string]string, len(tools))
	for _, t := range tools {
		out[idOf(t)] = t.Name
	}
	return out
}

// rankTools ranks the tools by what serve has recorded, if anything.
func (a *app) rankTools(ctx context.Context, svc *service.Service, tools []gateway.Listed, trace *predict.Trace) (*predict.Ranking, error) {
	how := svc.Learning()
	learning := how[a.profile]
	m := predict.NewModel(cmp.Or(learning.HalfLife, predict.DefaultHalfLife), predict.DefaultLimits)
	var marks []usage.Mark
	if at := store.UsagePath(svc.Snapshot().StoreURL()); at != "" && store.Exists(at) {
		log, err := openUsage(ctx, svc, store.Open)
		if err != nil {
			return nil, exit{exitBroken, "the use of tools cannot be read: " + store.Shown(at) + ": " + causeOf(err)}
		}
		defer log.Close()
		if err := selection.Learn(ctx, log, a.profile, learning.From, m); err != nil {
			return nil, exit{exitBroken, store.Shown(at) + ": " + causeOf(err)}
		}
		if marks, err = log.Marks(ctx); err != nil {
			return nil, exit{exitBroken, store.Shown(at) + ": " + causeOf(err)}
		}
	}
	list := make([]predict.Tool, len(tools))
	for i, t := range tools {
		list[i] = predict.Tool{Server: t.Server, Name: t.Tool, Description: t.Description}
	}
	weights := predict.DefaultWeights
	if s := svc.Snapshot().Plan.Config.Gateway.Selection; s != nil && len(s.Weights) > 0 {
		weights = s.Weights
	}
	return predict.NewBlend(weights).Rank(m, predict.NewCatalog(list), predict.Request{Trace: trace, Now: time.Now(), Feedback: feedbackOf(marks, how, a.profile)}), nil
}

// feedbackOf returns how people marked tools for all clients of a profile, and of the
// profiles that it learns from.
func feedbackOf(marks []usage.Mark, how map[string]selection.Learning, profile string) map[string]predict.Feedback {
	out := map[string]predict.Feedback{}
	for tool, relevant := range selection.Marks(how, profile, func(of string) map[string]bool { return usage.FeedbackOf(marks, of, "") }) {
		if out[tool] = predict.Irrelevant; relevant {
			out[tool] = predict.Relevant
		}
	}
	return out
}

// stages describes what a ranking is based on.
var stages = map[predict.Stage]string{
	predict.BySession: "by the calls of the session and what earlier ones used",
	predict.ByProfile: "by what earlier sessions used",
	predict.BySpread:  "by the words of the task, then one of each server in turn: nothing is learnt yet",
	predict.ByAll:     "all tools fit",
}

func (a *app) printPredictions(r *predict.Ranking, names map[string]string, most int, format string) error {
	out := []prediction{}
	for i, t := range r.Tools {
		if most > 0 && i == most {
			break
		}
		out = append(out, prediction{names[t.Tool], t.Chance, r.Why(t.Tool)})
	}
	if format == string(render.JSON) {
		return printJSON(a.out, map[string]any{"stage": r.Stage, "of": len(r.Tools), "tools": out})
	}
	fmt.Fprintf(a.out, "%d of %d tools, %s\n\n", len(out), len(r.Tools), stages[r.Stage])
	var rows [][]string
	for i, p := range out {
		chance := "-"
		if r.Tools[i].Tier == predict.Predicted {
			chance = fmt.Sprintf("%.0f%%", 100*p.Chance)
		}
		rows = append(rows, []string{p.Tool, chance, p.Why})
	}
	return screen.Table(a.out, []string{"TOOL", "CHANCE", "WHY"}, rows)
}

func (a *app) sessions() *cobra.Command {
	var format string
	var most int
	cmd := &cobra.Command{
		Use:     "sessions",
		GroupID: "look",
		Short:   "List the sessions of chat clients: tools shown, called and missed",
		Long: `List the newest sessions that used upstream tools: how many tools they were listed,
which they called, and which of those were not on their list. What else happened in
a session is on the dashboard.`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			return withUsage(cmd.Context(), svc, func(log usage.Log, _ string) error {
				return a.printSessions(cmd.Context(), log, most, format)
			})
		},
	}
	cmd.Flags().IntVar(&most, "most", 20, "sessions that are printed; 0 for all")
	formatFlag(cmd, &format, string(render.Text), string(render.JSON))
	return cmd
}

// usedSession is a session as it is printed.
type usedSession struct {
	usage.Session
	Calls  int      `json:"calls"`
	Failed int      `json:"failed"`
	Tools  []string `json:"tools"`  // called, in the order of their first call
	Missed []string `json:"missed"` // those of Tools that were not on the list
}

func (a *app) printSessions(ctx context.Context, log usage.Log, most int, format string) error {
	list := []usedSession{}
	add := func(s usage.Session, calls []usage.Call) error {
		list = append(list, summarizeSession(s, calls))
		return nil
	}
	err := error(nil)
	if most > 0 {
		err = log.Newest(ctx, usage.Place{}, most, add)
		slices.Reverse(list)
	} else {
		err = log.Sessions(ctx, time.Time{}, everyCall, add)
	}
	if err != nil {
		return err
	}
	if format == string(render.JSON) {
		return printJSON(a.out, map[string]any{"sessions": list})
	}
	several := slices.ContainsFunc(list, func(s usedSession) bool { return s.Profile != "" })
	head := []string{"BEGAN", "ERA", "SHOWN", "CALLS", "CALLED", "NOT LISTED"}
	if several {
		head = slices.Insert(head, 2, "PROFILE")
	}
	var rows [][]string
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		shown := "all"
		if s.Shown != nil {
			shown = fmt.Sprintf("%d of %d", len(s.Shown), s.Offered)
		}
		row := []string{s.Started.Local().Format(time.DateTime), s.Era, shown, fmt.Sprint(s.Calls), strings.Join(s.Tools, ", "), strings.Join(s.Missed, ", ")}
		if several {
			row = slices.Insert(row, 2, cmp.Or(s.Profile, "-"))
		}
		rows = append(rows, row)
	}
	return screen.Table(a.out, head, rows)
}

func summarizeSession(s usage.Session, calls []usage.Call) usedSession {
	out := usedSession{Session: s, Calls: len(calls), Tools: []string{}, Missed: []string{}}
	seen := map[string]bool{}
	for _, c := range calls {
		if !c.OK {
			out.Failed++
		}
		if !seen[c.Name()] {
			out.Tools = append(out.Tools, c.Name())
			if c.Hidden {
				out.Missed = append(out.Missed, c.Name())
			}
		}
		seen[c.Name()] = true
	}
	return out
}
