package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func (a *app) indexStatus() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "status [PATH]",
		Short: "Show how far collections are, and what could not be read",
		Args:  requireArgs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runStatus(cmd.Context(), f, args)
		},
	}
	f.bind(cmd)
	return cmd
}

// collectionStatus is the status of one collection.
type collectionStatus struct {
	Collection  string   `json:"collection"`
	Directories []string `json:"directories"`
	Description string   `json:"description,omitempty"`
	Path        string   `json:"path"`
	argument    string   // for index, if the configuration does not name the collection
	library.State
	Problems []library.Job `json:"problems,omitempty"`
	Error    string        `json:"error,omitempty"`
}

func statusOf(ctx context.Context, snap *service.Snapshot, c service.Collection, most int) collectionStatus {
	out := collectionStatus{Collection: c.Name, Directories: c.Directories, Description: c.Description, Path: store.Shown(c.File)}
	if _, configured := snap.Plan.Config.Collections[c.Name]; !configured && len(c.Directories) > 0 {
		out.argument = " " + oneLine(c.Directories[0])
	}
	if !store.Exists(c.File) {
		return out
	}
	shelf, err := store.OpenLibrary(ctx, c.File)
	if err == nil {
		defer shelf.Close()
		if out.State, err = shelf.State(ctx); err == nil {
			out.Problems, err = listProblems(ctx, shelf, most)
		}
	}
	if err != nil {
		out.Error = snap.Egress.Line(err.Error())
	}
	for i := range out.Problems {
		out.Problems[i].Error = snap.Egress.Line(out.Problems[i].Error)
	}
	return out
}

// listProblems returns the files that could not be read, then those that were left out, up to most of each.
func listProblems(ctx context.Context, shelf library.Shelf, most int) ([]library.Job, error) {
	failed, err := shelf.Jobs(ctx, library.Failed, most)
	if err != nil {
		return nil, err
	}
	left, err := shelf.Jobs(ctx, library.Left, most)
	return append(failed, left...), err
}

// runStatus prints the status of the collections that a command names.
func (a *app) runStatus(ctx context.Context, f indexFlags, args []string) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	list, err := knownCollections(svc.Snapshot(), f.collection, args)
	if err != nil {
		return err
	}
	return a.printStatus(ctx, svc.Snapshot(), list, f.format)
}

func (a *app) printStatus(ctx context.Context, snap *service.Snapshot, list []service.Collection, format string) error {
	all, most := []collectionStatus{}, 20 // files of each kind of problem
	if format == string(render.JSON) {
		most = 1000
	}
	for _, c := range list {
		all = append(all, statusOf(ctx, snap, c, most))
	}
	if format == string(render.JSON) {
		return printJSON(a.out, map[string]any{"collections": all})
	}
	if len(all) == 0 {
		fmt.Fprintln(a.out, "no collection was indexed; make one with: compactor index PATH")
		return nil
	}
	for _, s := range all {
		_ = screen.Paint(a.out, screen.Heading, s.Collection)
		fmt.Fprintf(a.out, ": %s\n", s.describe())
		fmt.Fprintf(a.out, "  of %s\n", oneLine(strings.Join(s.Directories, ", ")))
		if s.Description != "" {
			fmt.Fprintf(a.out, "  %s\n", oneLine(s.Description))
		}
		if since := s.describeAge(); since != "" {
			fmt.Fprintf(a.out, "  %s\n", since)
		}
		if s.Running {
			fmt.Fprintf(a.out, "  jobs: %s\n", listJobs(s.Jobs))
		}
		for _, j := range s.Problems {
			if j.State == library.Left {
				fmt.Fprintf(a.out, "  left out: %s: %s\n", oneLine(j.URI), oneLine(j.Error))
				continue
			}
			fmt.Fprintf(a.out, "  not read: %s (%s, %s): %s\n", oneLine(j.URI), j.Stage, words.Count(j.Attempts, "attempt"), oneLine(j.Error))
		}
		if more := s.Failed + s.Left - len(s.Problems); more > 0 {
			fmt.Fprintf(a.out, "  %d more; all with --format json\n", more)
		}
	}
	return nil
}

// describe describes the state in a few words.
func (s collectionStatus) describe() string {
	switch {
	case s.Error != "":
		return s.Error
	case s.Version == "" && s.Running:
		return fmt.Sprintf("%s, %s ready", s.describeRun(), words.Count(s.Kept, "document"))
	case s.Version == "" && s.Kept > 0:
		return fmt.Sprintf("was stopped, %s ready; go on with: compactor index%s", words.Count(s.Kept, "document"), s.argument)
	case s.Version == "":
		return "not indexed yet; run: compactor index" + s.argument
	}
	text := fmt.Sprintf("%s in %s, %s of index in %s for %s of text, %s", words.Count(s.Documents, "document"), words.Count(s.Passages, "passage"),
		formatMB(s.Index), words.Count(len(s.Segments), "segment"), formatMB(s.Text), s.Published.Local().Format("2006-01-02 15:04"))
	if s.Running {
		text += "; " + s.describeRun()
	}
	return text
}

// listJobs lists how many jobs are in each stage and state.
func listJobs(list []library.Count) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%s %d %s", c.Stage, c.Jobs, c.State))
	}
	return cmp.Or(strings.Join(out, ", "), "none is done yet")
}

// describeRun says which process indexes the collection, and how far it is.
func (s collectionStatus) describeRun() string {
	text := "is being indexed"
	if s.Process != 0 {
		text += fmt.Sprintf(" by process %d", s.Process)
	}
	if s.Host != "" {
		text += " on " + oneLine(s.Host)
	}
	if s.Step != nil {
		text += ": " + s.Step.Stage + stepCount(*s.Step)
	}
	return text
}

// describeAge says how old the oldest segment is, and how many passages have gone or changed since then.
func (s collectionStatus) describeAge() string {
	if len(s.Segments) < 2 && s.Space.Changed == 0 {
		return ""
	}
	dead, oldest := 0, time.Time{}
	for _, x := range s.Segments {
		dead += x.Passages - x.Live
		if oldest.IsZero() || x.Made.Before(oldest) {
			oldest = x.Made
		}
	}
	text := fmt.Sprintf("the oldest segment is of %s", oldest.Local().Format("2006-01-02 15:04"))
	if dead > 0 {
		text += fmt.Sprintf("; %s that are gone wait for a merge", words.Count(dead, "passage"))
	}
	if s.Space.Changed > 0 {
		text += fmt.Sprintf("; %s came or went since lsi was learnt", words.Count(s.Space.Changed, "passage"))
	}
	return text
}

func formatMB(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
