package explain

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// flow is a small flow over files, with names that must not be taken for others.
var flow = map[string]string{
	"app/api.py": "from app.store import save_order\nimport json\n\n\ndef place_order(order):\n    \"\"\"Place an order.\n\n    The order is checked first. Colours do not matter.\n    \"\"\"\n" +
		"    if not order.lines:\n        raise EmptyOrder(order.id)\n    json.load_order(order)\n    return save_order(order)\n",
	"app/store.py":  "def save_order(order):\n    \"\"\"Write an order to the database.\"\"\"\n    if order.total > LIMIT:\n        raise OrderTooLarge(order.total)\n    return database.insert_order(order)\n",
	"app/other.py":  "def load_order(key):\n    check_key(key)\n    return database.find_order(key)\n",
	"app/facade.py": "from app.store import save_order\n\n\ndef order(o):\n    return save_order(o)\n",
	"pool/pool.go":  "package pool\n\n// Admit lets a job in.\nfunc (p *Pool) Admit(j *Job) error {\n\tif p.closed {\n\t\treturn ErrClosed\n\t}\n\tstartJob(j)\n\treturn queue.PushJob(j)\n}\n",
	"pool/start.go": "package pool\n\nfunc startJob(j *Job) {\n\tj.begin()\n\tif j.full { panic(\"full job\") }\n}\n",
	"queue/q.go":    "package queue\n\nfunc PushJob(j *Job) error {\n\tif full(j) { return ErrJobsFull }\n\treturn nil\n}\n",
	"wrong/q.go":    "package wrong\n\nfunc startJob(j *Job) {\n\tpanic(\"wrong job\")\n\tj.x()\n}\n\nfunc PushJob(j *Job) error {\n\tj.y()\n\treturn ErrWrong\n}\n",
}

func mechanismAt(t *testing.T, ref, question string) string {
	t.Helper()
	env := codetest.NewEnv(t, flow)
	tr, err := usage.RunTrace(t.Context(), env, usage.TraceInput{References: []string{ref}, Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	r, err := analyze(t.Context(), env, AnalyzeInput{Reference: ref, Question: question, Callers: tr.Calls, Defs: tr.Defs, Most: 2})
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{r.Summary}
	for _, f := range r.KeyFindings {
		lines = append(lines, f.Text)
	}
	return strings.Join(lines, "\n")
}

func TestMechanismOfAPlace(t *testing.T) {
	for _, c := range []struct {
		name, ref, question string
		want, never         []string
	}{
		{
			name: "python, by import", ref: "app/api.py:5", question: "what happens when an order is placed that is too large for the database?",
			want:  []string{"Place an order.", "10: if not order.lines: raise EmptyOrder(order.id)", "13 -> `save_order` (app/store.py:1): Write an order to the database; 3: if order.total > LIMIT: raise OrderTooLarge(order.total)"},
			never: []string{"Colours", "app/other.py"},
		},
		{
			name: "facade", ref: "app/facade.py:4", question: "how is an order saved?",
			want: []string{"5 -> `save_order` (app/store.py:1)"},
		},
		{
			name: "go, by package", ref: "pool/pool.go:4", question: "how is a job admitted when the queue is full?",
			want:  []string{"5: if p.closed { return ErrClosed }", "`startJob` (pool/start.go:3)", "`PushJob` (queue/q.go:3)"},
			never: []string{"wrong/q.go"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mechanismAt(t, c.ref, c.question)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is missing in:\n%s", w, got)
				}
			}
			for _, w := range c.never {
				if strings.Contains(got, w) {
					t.Errorf("%q stands in:\n%s", w, got)
				}
			}
		})
	}
}

// TestMoreTokensTellMore: a reply with more room tells more of the same place.
func TestMoreTokensTellMore(t *testing.T) {
	body := "def admit(job):\n"
	for _, n := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda omega sigma tau upsilon phi") {
		body += "    if job.is_" + n + ":\n        raise " + n + "_error(job.code_" + n + ")\n"
	}
	env := codetest.NewEnv(t, map[string]string{"pool.py": body})
	lines := map[int]int{}
	for _, tokens := range []int{300, 1000, 4000} {
		env.Tokens = tokens
		r, err := analyze(t.Context(), env, AnalyzeInput{Reference: "pool.py:1", Question: "what happens when a job is admitted?", Most: 2})
		if err != nil {
			t.Fatal(err)
		}
		lines[tokens] = len(r.KeyFindings)
	}
	if !(lines[300] <= lines[1000] && lines[1000] < lines[4000]) {
		t.Errorf("findings by tokens: %v", lines)
	}
}

// TestAMemberIsToldOnce: a field whose comment is Sphinx's own is told of without
// the mark of it, and on one line.
func TestAMemberIsToldOnce(t *testing.T) {
	text := "class View:\n    #: The methods that this view is\n    #: registered for.\n    methods = None\n\n    def run(self):\n        pass\n"
	got := codetest.MustCall[contract.Result](t, Analyze(), codetest.NewEnv(t, map[string]string{"v.py": text}),
		map[string]any{"reference": "v.py:1", "question": "which methods is a view registered for?"})
	n := 0
	for _, f := range got.KeyFindings {
		if strings.HasPrefix(f.Text, "4: ") {
			n++
		}
		if strings.Contains(f.Text, ": :") {
			t.Error(f.Text)
		}
	}
	if n != 1 || !strings.Contains(got.KeyFindings[0].Text, "The methods that this view is registered for") {
		t.Errorf("%d times: %+v", n, got.KeyFindings)
	}
}
