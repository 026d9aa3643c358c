package main

import (
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// recorder records the exchanges with models in one call; a nil recorder records nothing.
type recorder struct {
	*recording.Recorder
	file string
}

func newRecorder(file string) (*recorder, error) {
	if file == "" {
		return nil, nil
	}
	rec, err := recording.Record(file)
	if err != nil {
		return nil, exit{exitBroken, err.Error()}
	}
	return &recorder{rec, file}, nil
}

func (r *recorder) wrapModels(opt *service.Options) {
	if r != nil {
		opt.Exchange = func(_ string, spec config.Model, next model.Doer) model.Doer { return r.Wrap(spec.Provider, next) }
	}
}

// finishRecording writes the recording and says so. It returns the call's own error or, if that is
// nil, the one of writing the recording.
func (a *app) finishRecording(r *recorder, err error) error {
	if r == nil {
		return err
	}
	n, _ := r.Count()
	if lost := r.Close(); lost != nil && err == nil {
		return exit{exitBroken, lost.Error()}
	} else if lost != nil {
		fmt.Fprintln(a.err, "compactor: "+lost.Error())
		return err
	}
	if n == 0 {
		fmt.Fprintf(a.err, "no model was asked; %s was not written\n", r.file)
		return err
	}
	fmt.Fprintf(a.err, "recorded in %s: %d exchanges\n", r.file, n)
	return err
}
