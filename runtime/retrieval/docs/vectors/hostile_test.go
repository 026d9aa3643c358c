package vectors

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// Numbers at the edge of what can be written give scores that can be written too.
func TestScoresAreNumbersWhateverTheTableHolds(t *testing.T) {
	s, err := ReadText(strings.NewReader("most 9e29 9e29\nleast -9e29 9e29\ntiny 1e-45 1e-45\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"most", "least", "most least", "tiny", "most most most", "none"} {
		passages, err := s.Passages(t.Context(), []string{"most least", "most", "tiny"})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := NewRows(passages)
		if err != nil {
			t.Fatal(err)
		}
		table := NewTable(2, 3)
		table.Put(0, rows)
		v, parts, err := s.Question(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		scored(t, question, NewLeg(LegStatic, table, v, parts))
	}
	if _, err := ReadText(strings.NewReader("more 3e38 3e38\n")); !errors.Is(err, ErrTable) {
		t.Errorf("too large a number is taken: %v", err)
	}
	table := NewTable(2, 3)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{nan, 1}, {inf, 1}, {inf, -inf}, {math.MaxFloat32, math.MaxFloat32}, {math.SmallestNonzeroFloat32, 0}} {
		copy(table.Flat, []float32{1, 0, 0, 1, .6, .8})
		scored(t, "of an endpoint", NewLeg(LegEmbeddings, table, v, nil))
	}
}

func scored(t *testing.T, question string, l *Leg) {
	t.Helper()
	scores := make([]float64, 3)
	if err := l.Score(context.Background(), nil, nil, scores); err != nil {
		t.Fatal(err)
	}
	parts, err := l.Explain(context.Background(), (*index.Question)(nil), []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range scores {
		for _, p := range parts[i] {
			x += p.Score
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("%s: passage %d has %v, of %+v", question, i, scores[i], parts[i])
		}
	}
}

// A word that no writer would write takes no longer than it is long.
func TestATokenizerCannotAskForLongWords(t *testing.T) {
	ids, p, err := readTokenizer([]byte(`{"model": {"type": "WordPiece", "max_input_chars_per_word": 2000000000, "vocab": {"a": 0, "##a": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	clocktest.Linear(t, 1<<11, func(size int) func() {
		word := strings.Repeat("a", size)
		return func() { p.each(word, ids, func(string, int32) {}) }
	})
}

// What is not a regular file would be waited for, or has no end.
func TestATableIsARegularFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such files")
	}
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, filepath.Join(folder, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "folder"} {
		done := make(chan error, 1)
		go func() {
			_, err := OpenStatic(os.DirFS(dir), name)
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, ErrTable) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s is waited for", name)
			if w, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil { // let the reader go
				_ = w.Close()
			}
			<-done
		}
	}
}

// A file that is no table may hold secrets, and what is said of it reaches a chat model.
func TestWhatIsSaidOfAFileShowsNothingOfIt(t *testing.T) {
	for _, text := range []string{"[default]\nkey = hunter2\n", "machine example.org login me password hunter2\n", "a 1 2\nuser:hunter2 3\n", "a 1 2\nhunter2 1 x\n"} {
		if _, err := ReadText(strings.NewReader(text)); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
