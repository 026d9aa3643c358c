package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// TestDefinitions reads sentences for how surely they say what a thing is.
func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		question, text string
		least, most    float64
	}{
		{"what is a worker?", "A worker is a program that takes tasks from a queue.", 1, 1},
		{"what is a worker?", "In Celery, a worker is a program that takes tasks.", 0.9, 0.9},
		{"what's a worker?", "**Workers** are programs.", 0.6, 0.6},
		{"what are workers?", "Workers are started by the supervisor.", 0.2, 0.2},
		{"what is a worker?", "**Worker:** a program that takes tasks.", 0.8, 0.8},
		{"what is a worker?", "Worker: a program that takes tasks.", 0.6, 0.6},
		{"what is a worker?", "This worker is the last one.", 0, 0.3},
		{"what is a job?", "The list of waiting jobs is called the job queue.", 0, 0.1},
		{"what is a job?", "Job runs are kept for 30 days.", 0, 0},
		{"what is a job?", "Job names may contain dots.", 0, 0},
		{"what is Caddy?", "Caddy is open source software.", 0.6, 0.6},
		{"what does `make_response` do?", "A response is an object that a view returns.", 0, 0},
		{"what does `make_response` do?", "`make_response` turns a value into a response.", 0.5, 0.5},
		{"define worker", "A worker is a program.", 1, 1},
		{"what is a worker?", "- `worker` – a program that takes tasks", 0.8, 0.8},
		{"what is a worker?", "A program that takes tasks is called a _worker_.", 0.9, 0.9},
		{"what is a worker?", "Workers execute tasks.", 0.7, 0.7},
		{"what does the worker do?", "The worker polls its queue.", 0.5, 0.5},
		{"what is the purpose of a worker?", "A worker is a program that takes tasks.", 1, 1},
		{"what is a worker?", "A cloud worker is a machine.", 0, 0.5}, // another thing
		{"what is a worker?", "Start the worker and wait.", 0, 0},
		{"what is a worker?", "A worker_pool is a list of workers.", 0, 0},
		{"what is a worker?", "`worker: true` is a setting.", 0, 0},
		{"what is a worker?", ":worker: its name", 0, 0},
		{"what is a worker?", "* [worker](worker.md) - manage workers", 0, 0.4}, // an index
		{"what is a worker?", "worker: https://example.com/worker", 0, 0},
		{"what is a cron workflow?", "`CronWorkflows` are workflows that run on a schedule.", 0.6, 0.6},
		{"what is CronWorkflow?", "A cron workflow is a workflow that runs on a schedule.", 1, 1},
		{"what is the onRequest hook?", "`onRequest` is the first hook of a request.", 1, 1},
		{"what does url_for do?", "The :func:`url_for` function generates an address.", 0.5, 0.5},
		{"what is a worker?", "| `worker` | a program that takes tasks |", 0.8, 0.8},
		{"what is a worker?", "| kinds of worker | there are two of them |", 0, 0},
		{"was ist ein Auftrag?", "Ein Auftrag ist eine Arbeit, die warten kann.", 1, 1},
		{"qu'est-ce qu'une tâche ?", "Une tâche est un travail.", 1, 1},
		{"what is the difference between a worker and a queue?", "A worker is a program.", 0, 0},
		{"how do I start a worker?", "A worker is a program.", 0, 0},
		{"what is the default of `pool_size`?", "`pool_size` is the number of connections.", 0, 0},
		{"what does a worker store?", "A worker is a program.", 0, 0},
		{"what is a worker and how do I start one?", "A worker is a program.", 0, 0},
		{"what are valid workers?", "Workers are programs.", 0, 0},
		{"什么是任务？", "任务是一个程序。", 0, 0}, // scripts without spaces are not read so far
	} {
		list := []Passage{{Text: c.text, End: len(c.text)}}
		units := splitUnits(list)
		r := &rater{q: parseQuestion(c.question, nil), passages: list, units: units}
		if got := r.definedShare(0); got < c.least || got > c.most {
			t.Errorf("%q in %q: %v, want %v to %v", c.question, c.text, got, c.least, c.most)
		}
	}
}

// TestDefinitionComesFirst has a sentence that defines the subject among others that have more of the question's words.
func TestDefinitionComesFirst(t *testing.T) {
	list := passages(
		"# Running\n\nWorkers of a worker pool restart a worker when the worker has run a hundred tasks.\n\nRun `worker --pool` for a worker with a pool.\n",
		"| option | says |\n| --- | --- |\n| `--worker-name` | name of the worker in the list of workers |\n| `--worker-log` | where the worker writes the log of the worker |\n",
		"# Parts\n\nTasks wait in a queue. A worker is a program that takes them from there. It runs them one after another.\n",
	)
	a, err := Compose("what is a worker?", list, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(a.Text, "A worker is a program that takes them from there.") || strings.Contains(a.Text, "--worker") {
		t.Errorf("the definition is not first, or options follow it:\n%s", a.Text)
	}
	if got := Nearest("what is a worker?", list, 1); len(got) != 1 || got[0] != 2 {
		t.Errorf("passages %v are the nearest, want the one that defines the subject", got)
	}
	if got := Nearest("what is a worker?", append(list[:2:2], list[1], list[0], list[2]), 3); !slices.Equal(got[:2], []int{4, 0}) {
		t.Errorf("passages %v are the nearest, want the first one kept", got)
	}
	if got := Nearest("how do I run a worker?", list, 2); len(got) != 2 || got[0] != 0 {
		t.Errorf("passages %v are the nearest to another question, want them as found", got)
	}
}

// TestUndefined has no sentence that says what the subject is: there is an answer, with low confidence.
func TestUndefined(t *testing.T) {
	list := passages("# Running\n\nStart every worker with the same pool of the same worker name.\n\nRestart the worker when its configuration has changed.\n")
	a, err := Compose("what is a worker?", list, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Abstained != "" || a.Confidence() != retrieval.Low {
		t.Errorf("want an answer with low confidence, got %+v", a)
	}
}

func TestReach(t *testing.T) {
	for question, want := range map[string]int{"what is a worker?": 36, "how do I start a worker?": 6, "": 6} {
		if got := Reach(question, 6); got != want {
			t.Errorf("%d passages for %q, want %d", got, question, want)
		}
	}
	for top, want := range map[int]int{0: 0, 50: MaxPassages, 100: 100} {
		if got := Reach("what is a worker?", top); got != want {
			t.Errorf("%d passages of %d, want %d", got, top, want)
		}
	}
}
