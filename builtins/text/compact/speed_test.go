package compact

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

func BenchmarkZ(b *testing.B) {
	f, _ := os.Open("/work/shared/bench/toolsum/cases.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<28)
	kinds := map[Kind][]Options{}
	texts := map[Kind][]string{}
	sizes := map[Kind]int{}
	for sc.Scan() {
		var c struct {
			ID, Task, Result  string
			Arguments, Recent json.RawMessage
		}
		json.Unmarshal(sc.Bytes(), &c)
		k := Detect(c.Result)
		kinds[k] = append(kinds[k], Options{Bytes: 4000, Subject: Subject{Task: c.Task, Arguments: string(c.Arguments), Known: string(c.Recent)}})
		texts[k] = append(texts[k], c.Result)
		sizes[k] += len(c.Result)
	}
	for k := range kinds {
		b.Run(string(k), func(b *testing.B) {
			b.SetBytes(int64(sizes[k]))
			for b.Loop() {
				for i, t := range texts[k] {
					Shorten(t, kinds[k][i])
				}
			}
		})
	}
}

func TestZSpeed(t *testing.T) {
	if os.Getenv("TS_SPEED") == "" {
		t.Skip()
	}
	f, _ := os.Open("/work/shared/bench/toolsum/cases.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<28)
	n := 0
	type one struct {
		o Options
		t string
	}
	var all []one
	for sc.Scan() {
		var c struct {
			ID, Task, Result  string
			Arguments, Recent json.RawMessage
		}
		json.Unmarshal(sc.Bytes(), &c)
		all = append(all, one{Options{Bytes: 4000, Subject: Subject{Task: c.Task, Arguments: string(c.Arguments), Known: string(c.Recent)}}, c.Result})
		n += len(c.Result)
	}
	for range 10 {
		for _, c := range all {
			Shorten(c.t, c.o)
		}
	}
	t.Log(n * 10)
	println("MB", n*10/1e6)
}
