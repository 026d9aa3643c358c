package compact

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestZRun(t *testing.T) {
	out := os.Getenv("TS_OUT")
	if out == "" {
		t.Skip()
	}
	f, _ := os.Open("/work/shared/bench/toolsum/cases.jsonl")
	w, _ := os.Create(out)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<28)
	for sc.Scan() {
		var c struct {
			ID, Task, Result  string
			Arguments, Recent json.RawMessage
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		for _, b := range []int{500, 1000, 2000} {
			s := Shorten(c.Result, Options{Bytes: 4 * b, Subject: Subject{Task: c.Task, Arguments: string(c.Arguments), Known: string(c.Recent)}})
			j, _ := json.Marshal(map[string]any{"id": c.ID, "budget": b, "summary": strings.ToValidUTF8(s.Text, ""), "kind": s.Kind})
			w.Write(append(j, '\n'))
		}
	}
	w.Close()
}
