package configtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// server is a model server without a socket; nil is one that nobody runs.
type server func(request string) string

func (s server) Do(req *http.Request) (*http.Response, error) {
	data, _ := io.ReadAll(req.Body)
	if s == nil {
		return nil, errors.New("dial tcp: connection refused")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(s(string(data))))}, nil
}

// exchange lets the models of a test say what asks wants, and gives the outcome
// with what was answered.
func exchange(t *testing.T, ctx context.Context, dir string, record bool, s server, asks ...string) (Outcome, []string) {
	t.Helper()
	opt := service.Options{Place: consent.Place{Dir: dir, Display: "shown"}}
	r, err := repliesOf(opt, config.Test{Replies: "recordings/x.jsonl"}, record)
	if err != nil {
		t.Fatal(err)
	}
	r.configureOptions(&opt)
	spec := config.Model{Provider: "openai", URL: "http://localhost:1234/v1", Model: "m", Key: "SECRET_KEY"}
	if opt.Spec != nil {
		spec = opt.Spec("default", spec)
	}
	client := opt.Exchange("default", spec, s)
	var got []string
	for _, a := range asks {
		req, _ := http.NewRequestWithContext(ctx, "POST", spec.URL+"/chat/completions", strings.NewReader(a))
		res, err := client.Do(req)
		if err != nil {
			got = append(got, "error")
			continue
		}
		data, _ := io.ReadAll(res.Body)
		got = append(got, string(data))
	}
	var o Outcome
	r.finish(ctx, &o)
	return o, got
}

func upper(s string) string { return strings.ToUpper(s) }

func TestRecordedIsReplayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o, live := exchange(t, t.Context(), dir, true, upper, `{"q":"one"}`, `{"q":"two"}`)
	if o.Wrote != "shown/recordings/x.jsonl: 2 exchanges" || !o.Passed() {
		t.Errorf("recorded: %+v", o)
	}
	o, again := exchange(t, t.Context(), dir, false, nil, `{"q":"one"}`, `{"q":"two"}`)
	if !o.Passed() || len(o.Notes) > 0 || !cmp.Equal(live, again) {
		t.Errorf("replayed: %+v, %q instead of %q", o, again, live)
	}
	o, _ = exchange(t, t.Context(), dir, false, nil, `{"q":"one"}`)
	if !o.Passed() || !cmp.Equal(o.Notes, []string{"recorded and not asked for: 1 of 2 exchanges"}) {
		t.Errorf("one was not asked for: %+v", o)
	}
}

// The caller may go on without an answer; the test must not pass for it.
func TestMissFailsOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exchange(t, t.Context(), dir, true, upper, `{"q":"one"}`)
	o, got := exchange(t, t.Context(), dir, false, nil, `{"q":"once"}`, `{"q":"once"}`)
	if o.Passed() || len(o.Errors) != 1 || !cmp.Equal(got, []string{"error", "error"}) {
		t.Fatalf("%+v, %q", o, got)
	}
	if want := `differs first at q: recorded "one", asked "once"`; !strings.Contains(o.Errors[0], want) {
		t.Errorf("got %s\nwant %s", o.Errors[0], want)
	}
}

func TestRecordingStaysWhereNoModelAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exchange(t, t.Context(), dir, true, upper, `{"q":"one"}`)
	file := filepath.Join(dir, "recordings", "x.jsonl")
	before, _ := os.ReadFile(file)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		s   server
	}{"nobody listens": {t.Context(), nil}, "interrupted": {cancelled, upper}} {
		o, _ := exchange(t, c.ctx, dir, true, c.s, `{"q":"two"}`)
		after, _ := os.ReadFile(file)
		if o.Passed() || o.Wrote != "" || string(after) != string(before) {
			t.Errorf("%s: %+v\n%s", name, o, after)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "recordings", "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

// A replay needs neither the server nor the key that the configuration names,
// and answers for models that it does not even have.
func TestReplayNeedsNothingOfTheConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exchange(t, t.Context(), dir, true, upper, `{"model":"gemma"}`)
	opt := service.Options{Place: consent.Place{Dir: dir}, NoModel: true}
	r, err := repliesOf(opt, config.Test{Replies: "recordings/x.jsonl"}, false)
	if err != nil {
		t.Fatal(err)
	}
	r.configureOptions(&opt)
	for _, c := range []struct{ in, want config.Model }{
		{config.Model{Provider: "openai", URL: "http://lab:1/v1", Model: "own", Key: "LAB"}, config.Model{Provider: "openai", URL: "http://recording.invalid/v1", Model: "own"}},
		{config.Model{Provider: "none"}, config.Model{Provider: "openai", URL: "http://recording.invalid/v1", Model: "gemma"}},
	} {
		if got := opt.Spec("default", c.in); !cmp.Equal(got, c.want) {
			t.Errorf("%+v becomes %+v, want %+v", c.in, got, c.want)
		}
	}
	if opt.NoModel {
		t.Error("no model would be asked")
	}
	opt = service.Options{}
	if none, _ := repliesOf(opt, config.Test{}, true); none == nil {
		t.Fatal("a test without replies")
	} else if none.configureOptions(&opt); !opt.NoModel {
		t.Error("a test without replies asks models")
	}
}

var _ model.Doer = server(nil)

// A recording that a project brings is read and written in the project.
func TestARecordingIsNotTakenThroughALink(t *testing.T) {
	t.Parallel()
	elsewhere, project := t.TempDir(), t.TempDir()
	dir := filepath.Join(project, ".compactor")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "recordings")); err != nil {
		t.Skip("no links here")
	}
	opt := service.Options{Place: consent.Place{Dir: dir, Display: ".compactor", Project: project}}
	for _, record := range []bool{false, true} {
		_, err := repliesOf(opt, config.Test{Replies: "recordings/new/x.jsonl"}, record)
		if err == nil || !strings.Contains(err.Error(), "leads out of the project") {
			t.Errorf("record %v: %v", record, err)
		}
	}
	if made, _ := os.ReadDir(elsewhere); len(made) > 0 {
		t.Errorf("made %v", made)
	}
}
