package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// benchLog is the log of recorded sessions in the directory that COMPACTOR_BENCH names, or
// in the one that stands beside the project.
func benchLog(t *testing.T) string {
	t.Helper()
	dir := cmp.Or(os.Getenv("COMPACTOR_BENCH"), filepath.Join("..", "..", "..", "shared", "bench"))
	file := filepath.Join(dir, "toolseq", "sessions.jsonl")
	if _, err := os.Stat(file); err != nil {
		t.Skip("no log of recorded sessions: COMPACTOR_BENCH names no directory with toolseq/sessions.jsonl")
	}
	return file
}

// readLines reads JSON lines.
func readLines[T any](t *testing.T, file string) (out []T) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var x T
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, x)
	}
	return out
}

type loggedSession struct {
	Session, Source string
	Tools           []string
}

type loggedList struct {
	Session string
	Step    int
	Tools   []string
}

// measured are the measures of a log's lists, cut to a length, each computed anew from
// what they are said to be: see compactor replay --help.
func measured(sessions []loggedSession, lists []loggedList, shown int) (all, fresh, cover, start float64) {
	by := map[string][][]string{}
	for _, l := range lists {
		by[l.Session] = append(by[l.Session], l.Tools[:min(shown, len(l.Tools))])
	}
	share := func(hits []bool) float64 {
		n := 0
		for _, hit := range hits {
			if hit {
				n++
			}
		}
		return float64(n) / float64(len(hits))
	}
	mean := func(list []float64) (sum float64) {
		for _, x := range list {
			sum += x
		}
		return sum / float64(len(list))
	}
	var steps, news []bool
	var covers, starts []float64
	for _, s := range sessions {
		lists := by[s.Session]
		var mine []bool
		for i := 1; i < len(s.Tools); i++ {
			hit := slices.Contains(lists[i], s.Tools[i])
			steps = append(steps, hit)
			if !slices.Contains(s.Tools[:i], s.Tools[i]) {
				news, mine = append(news, hit), append(mine, hit)
			}
		}
		if len(mine) > 0 {
			covers = append(covers, share(mine))
		}
		var first []bool
		for _, tool := range distinct(slices.Clone(s.Tools)) {
			first = append(first, slices.Contains(lists[0], tool))
		}
		starts = append(starts, share(first))
	}
	return share(steps), share(news), mean(covers), mean(starts)
}

// Of the tools that recorded sessions used, the lists of 20 and 50 hold as many as is
// promised (runtime/retrieval/predict/README.md), by a second computation from the lists themselves,
// and hide more than half of all tools. Five folds: no task is learnt from to test itself.
func TestListsHoldWhatRecordedSessionsUsed(t *testing.T) {
	skipShort(t)
	t.Parallel()
	log, out := benchLog(t), filepath.Join(t.TempDir(), "lists.jsonl")
	dir, binary := frontDir(t, "")
	var run struct {
		Pool   int
		Scores []struct {
			Source, Method         string
			Shown                  int
			All, New, Cover, Start float64
		}
	}
	text := output(t, binary, dir, "replay", log, "--source", "toolathlon", "--source", "bfcl_multi_turn", "--lists", out, "--format", "json")
	if err := json.Unmarshal([]byte(text), &run); err != nil {
		t.Fatal(err)
	}
	sessions := slices.DeleteFunc(readLines[loggedSession](t, log), func(s loggedSession) bool { return s.Source != "toolathlon" && s.Source != "bfcl_multi_turn" })
	lists := readLines[loggedList](t, out)
	for shown, least := range map[int]float64{20: 0.80, 50: 0.92} {
		all, fresh, cover, start := measured(sessions, lists, shown)
		of := map[string]float64{}
		for _, s := range run.Scores {
			if s.Shown != shown || s.Source != "" {
				continue
			}
			of[s.Method] = s.Cover
			if s.Method == "prediction" && (differ(s.All, all) || differ(s.New, fresh) || differ(s.Cover, cover) || differ(s.Start, start)) {
				t.Errorf("at %d: it says %+v, its lists %.4f %.4f %.4f %.4f", shown, s, all, fresh, cover, start)
			}
		}
		t.Logf("%d of %d shown: all %.3f, new %.3f, cover %.3f, start %.3f", shown, run.Pool, all, fresh, cover, start)
		if cover < least || cover <= of["co-occurrence"] || cover <= of["frequency"] || len(of) != 3 {
			t.Errorf("%.3f of what was used was among %d tools, want %.2f; by the methods %v", cover, shown, least, of)
		}
		if 2*shown >= run.Pool {
			t.Errorf("%d shown of %d hide less than half", shown, run.Pool)
		}
	}
}

// differ reports figures that differ by more than their last digit.
func differ(a, b float64) bool { return max(a-b, b-a) > 0.00006 }
