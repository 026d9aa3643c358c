package configtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// replies supplies the model answers of one test.
type replies interface {
	configureOptions(opt *service.Options)
	finish(ctx context.Context, o *Outcome)
}

// anew is the hint for a request that a recording does not contain.
const anew = "record it with: compactor test --record"

func repliesOf(opt service.Options, t config.Test, record bool) (replies, error) {
	if t.Replies == "" {
		return none{}, nil
	}
	if opt.Dir == "" {
		return nil, fmt.Errorf("replies: there is not a directory of the configuration in which %s could be", t.Replies)
	}
	shown := path.Join(opt.Display, t.Replies)
	if !isInProject(filepath.Join(opt.Dir, filepath.FromSlash(t.Replies)), opt.Project) {
		return nil, fmt.Errorf("replies: %s leads out of the project that the test came with", shown)
	}
	if record {
		return recorderOf(opt.Dir, t.Replies, shown)
	}
	data, err := readText(opt.Dir, "replies", t.Replies, maxReplies)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there; %s", shown, anew)
	}
	if err != nil {
		return nil, err
	}
	all, err := recording.Parse(shown, data)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("%s holds no exchange; %s", shown, anew)
	}
	return played{recording.Play(shown, all, anew)}, nil
}

// none supplies no model at all.
type none struct{}

func (none) configureOptions(opt *service.Options) { opt.NoModel = true }
func (none) finish(context.Context, *Outcome)      {}

// played answers for all models from a recording.
type played struct{ *recording.Player }

func (p played) configureOptions(opt *service.Options) {
	opt.NoModel = false
	opt.Spec = p.recordedSpec
	opt.Exchange = func(string, config.Model, model.Doer) model.Doer { return p }
}

// recordedSpec returns the model as it was at recording time, as far as the recording knows:
// neither its server nor its key is needed now.
func (p played) recordedSpec(_ string, spec config.Model) config.Model {
	if spec.Provider != p.Provider() {
		spec.Provider, spec.Model = p.Provider(), p.Model()
	}
	spec.URL, spec.Key = p.URL(), ""
	return spec
}

// finish fails a test that made a request missing from the recording, even if all
// expectations hold: the result was reached without the model.
func (p played) finish(_ context.Context, o *Outcome) {
	told := map[string]bool{}
	for _, err := range p.Misses() {
		if !told[err.Error()] {
			o.Errors = append(o.Errors, err.Error())
		}
		told[err.Error()] = true
	}
	if n := len(p.Unused()); n > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("recorded and not asked for: %d of %d exchanges", n, p.Len()))
	}
}

// maxReplies bounds a recording in bytes.
const maxReplies = 256 << 20

// recorded asks the configured models and records their answers: in a temporary
// directory, from where the recording is moved into place.
type recorded struct {
	*recording.Recorder
	shown string
	temp  string
	to    *target
}

func recorderOf(dir, name, shown string) (replies, error) {
	to, err := targetOf(dir, "replies", name)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "compactor-record-")
	if err != nil {
		to.close()
		return nil, err
	}
	rec, err := recording.Record(filepath.Join(temp, to.name))
	if err != nil {
		to.close()
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return recorded{rec, shown, temp, to}, nil
}

func (r recorded) configureOptions(opt *service.Options) {
	opt.NoModel = false
	opt.Exchange = func(_ string, spec config.Model, next model.Doer) model.Doer { return r.Wrap(spec.Provider, next) }
}

// finish keeps the old recording if no model answered: a server that is not running
// must not destroy the answers of an earlier run.
func (r recorded) finish(ctx context.Context, o *Outcome) {
	defer r.to.close()
	defer os.RemoveAll(r.temp)
	n, answered := r.Count()
	if answered == 0 || ctx.Err() != nil {
		r.Discard()
		o.Errors = append(o.Errors, "no model answered, and "+r.shown+" is as it was; look at: compactor doctor")
		return
	}
	if err := r.Close(); err != nil {
		o.Errors = append(o.Errors, err.Error())
		return
	}
	data, err := os.ReadFile(filepath.Join(r.temp, r.to.name))
	if err == nil {
		err = r.to.write(data)
	}
	if err != nil {
		o.Errors = append(o.Errors, r.shown+": "+err.Error())
		return
	}
	o.Wrote = fmt.Sprintf("%s: %d exchanges", r.shown, n)
}
