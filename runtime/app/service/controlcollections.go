package service

import (
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// maxProblems limits the failed, and the left-out, files listed for a collection.
const maxProblems = 100

// Collections returns the state of all configured collections.
func (c Controller) Collections(ctx context.Context) ([]api.Collection, error) {
	snap := c.Snapshot()
	out := []api.Collection{}
	for _, x := range snap.Collections() {
		one, _, _ := c.collectionState(ctx, snap, x)
		out = append(out, one)
	}
	return out, nil
}

// Collection returns the state of one collection, with its jobs.
func (c Controller) Collection(ctx context.Context, name string) (*api.CollectionDetail, error) {
	snap := c.Snapshot()
	x, err := c.findCollection(snap, name)
	if err != nil {
		return nil, err
	}
	out := &api.CollectionDetail{Directories: []string{}, Jobs: []api.JobCount{}, Problems: []api.JobProblem{}}
	for _, dir := range x.Directories {
		out.Directories = append(out.Directories, snap.Egress.Line(dir))
	}
	var state library.State
	var shelf library.Shelf
	if out.Collection, state, shelf = c.collectionState(ctx, snap, x); shelf == nil {
		return out, nil
	}
	for _, n := range state.Jobs {
		out.Jobs = append(out.Jobs, api.JobCount(n))
	}
	for _, kind := range []string{library.Failed, library.Left} {
		jobs, err := shelf.Jobs(ctx, kind, maxProblems)
		if err != nil {
			return nil, api.NewProblem(api.Unreadable, snap.Egress.Line(err.Error()), "see: compactor index status --collection "+x.Name)
		}
		for _, j := range jobs {
			out.Problems = append(out.Problems, api.JobProblem{URI: snap.Egress.Line(j.URI), Stage: j.Stage, State: j.State, Attempts: j.Attempts, Error: snap.Egress.Line(j.Error), At: j.Ended})
		}
	}
	return out, nil
}

func (c Controller) findCollection(snap *Snapshot, name string) (Collection, error) {
	var names []string
	for _, x := range snap.Collections() {
		if x.Name == name {
			return x, nil
		}
		names = append(names, x.Name)
	}
	do := "GET /collections says what there is"
	if near := diag.Nearest(name, names); near != "" {
		do = "did you mean " + near + "?"
	}
	return Collection{}, api.NewProblem(api.CollectionNone, "the configuration has no collection "+snap.Egress.Line(name), do)
}

// collectionState returns the state of a collection. The shelf is nil if nothing is stored for it.
func (s *Service) collectionState(ctx context.Context, snap *Snapshot, x Collection) (api.Collection, library.State, library.Shelf) {
	out := api.Collection{Name: x.Name, Description: snap.Egress.Line(x.Description), Watched: x.Watch, Index: "none"}
	if back := s.indexing.Load(); back != nil {
		if r, ok := back.runOf(x); ok {
			out.Run = runJSON(snap, r)
		}
	}
	l, shelf, err := s.libraries.open(ctx, x)
	var state library.State
	if err == nil {
		state, err = shelf.State(ctx)
	}
	if err != nil {
		if !errors.Is(err, library.ErrEmpty) {
			out.Problem = snap.Egress.Line(err.Error())
		}
		return out, state, nil
	}
	out.Version, out.Documents, out.Passages, out.IndexBytes = state.Version, state.Documents, state.Passages, state.Index
	out.Failed, out.Left, out.Running, out.Process = state.Failed, state.Left, state.Running, state.Process
	if state.Step != nil {
		out.Progress = &api.Progress{Stage: state.Step.Stage, Done: state.Step.Done, Total: state.Step.Total}
	}
	if state.Version != "" {
		at := state.Published
		out.Published, out.Index = &at, "cold"
		if warm, err := l.Warm(ctx); err == nil && warm {
			out.Index = "warm"
		}
	}
	return out, state, shelf
}

func runJSON(snap *Snapshot, r indexRun) *api.IndexRun {
	out := &api.IndexRun{ID: r.ID, State: r.State, Started: r.Started, Added: r.Report.Added, Changed: r.Report.Changed, Removed: r.Report.Removed, Failed: len(r.Report.Failed)}
	if !r.Ended.IsZero() {
		out.Ended = &r.Ended
	}
	if r.Err != nil {
		out.Error = snap.Egress.Line(r.Err.Error())
	}
	return out
}

// Index starts a run over a collection.
func (c Controller) Index(ctx context.Context, name, again string) (*api.Indexing, error) {
	snap := c.Snapshot()
	x, err := c.findCollection(snap, name)
	if err != nil {
		return nil, err
	}
	back := c.indexing.Load()
	if back == nil || snap.opt.Extractors == nil || x.File == "" {
		return nil, api.NewProblem(api.IndexOff, "this process keeps no index", "set store.url to a file, and run compactor serve")
	}
	running := api.NewProblem(api.IndexRunning, "collection "+x.Name+" is being indexed", "wait for it; GET /collections/"+x.Name+" says how far it is")
	if now, _, _ := c.collectionState(ctx, snap, x); now.Running {
		return nil, running
	}
	r, err := back.start(x, request{Retry: again == "failed", All: again == "all"})
	switch {
	case errors.Is(err, ErrRunning):
		return nil, running
	case err != nil:
		return nil, api.NewProblem(api.Unreadable, snap.Egress.Line(err.Error()), "see: compactor doctor")
	}
	return &api.Indexing{Collection: x.Name, Run: r.ID}, nil
}

// collectionViews returns the state of all collections for the dashboard.
func (l DashboardSource) collectionViews(ctx context.Context, snap *Snapshot) (out []dashboard.Collection) {
	for _, x := range snap.Collections() {
		c, state, shelf := l.collectionState(ctx, snap, x)
		v := dashboard.Collection{Name: c.Name, Description: c.Description, Status: map[string]string{"none": "not indexed"}[c.Index], Version: c.Version, Documents: c.Documents, Passages: c.Passages, Left: c.Left,
			Failed: c.Failed, Watched: c.Watched, Problem: c.Problem}
		switch {
		case c.Problem != "":
			v.Status, v.Do = "error", "see: compactor index status --collection "+c.Name
		case c.Running:
			v.Status = "running"
		case v.Status == "":
			v.Status = c.Index
		default:
			v.Do = "compactor index --collection " + c.Name
		}
		if c.Published != nil {
			v.Published = *c.Published
		}
		if p := c.Progress; p != nil {
			v.Stage, v.Done, v.Total = p.Stage, p.Done, p.Total
		}
		if r := c.Run; r != nil && r.Error != "" && c.Problem == "" {
			v.Problem, v.Do = r.Error, "after a remedy: compactor index --collection "+c.Name
		}
		if back := l.indexing.Load(); back != nil && v.Problem == "" {
			v.Problem = snap.Egress.Line(back.lastProblem(x))
		}
		if shelf != nil && state.Failed > 0 {
			const most = 5
			jobs, _ := shelf.Jobs(ctx, library.Failed, most) // counted a moment ago
			for _, j := range jobs {
				v.Problems = append(v.Problems, snap.Egress.Line(j.URI+": "+j.Error))
			}
		}
		out = append(out, v)
	}
	return slices.Clip(out)
}

// lastProblem returns why the last run over a followed collection failed, or "".
func (x *indexing) lastProblem(c Collection) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.said[c.File]
}
