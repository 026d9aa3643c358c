package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/app/supervise"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// options locates the configuration and says how to load it.
func (a *app) options() (service.Options, error) {
	work, err := os.Getwd()
	if err != nil {
		return service.Options{}, exit{exitBroken, "the current directory is gone: " + err.Error()}
	}
	user, _ := os.UserConfigDir() // "" if there is none: it is skipped then
	place, err := consent.Find(consent.Query{Flag: configIn(a.configDir), Env: os.Getenv("COMPACTOR_CONFIG"), Work: work, User: user, Roots: a.roots, Trust: a.trustConfig})
	if err != nil {
		return service.Options{}, exit{exitBroken, err.Error()}
	}
	opt := service.Options{Defaults: compactor.Defaults, Place: place, Load: bounded.Load, Work: work, Builtins: builtins.All, Extractors: newExtractors, Indexes: a.indexes, Profile: a.profile, Several: a.several, Cache: a.cache, NoModel: a.noModel,
		Lookup: os.LookupEnv, State: stateDir(), Version: versionString(), Logger: a.log, Events: a.events}
	opt.Provided = provided(supervise.Socket(opt.Dir))
	a.recorder.wrapModels(&opt)
	if len(a.roots) > 0 {
		opt.Roots = map[string][]string{"code": a.roots}
	}
	return opt, nil
}

// configIn returns the configuration of a project if dir names the project instead: a
// directory without a CUE file of its own.
func configIn(dir string) string {
	if dir == "" {
		return ""
	}
	if own, err := filepath.Glob(filepath.Join(dir, "*.cue")); err != nil || len(own) > 0 {
		return dir
	}
	return projectConfig(dir)
}

// stateDir returns the directory of what outlives a run, or "" if no variable says where that
// is: it must not be the working directory, which a project may have filled.
func stateDir() string {
	if file := store.DefaultPath(os.Getenv); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

// load loads the configuration and compiles it, or prints what is wrong with it.
func (a *app) load(ctx context.Context) (*service.Service, error) {
	opt, err := a.options()
	if err != nil {
		return nil, err
	}
	if !a.once {
		defer growHeap(growLoading)()
	}
	snap, diags, err := service.Load(ctx, opt)
	if err != nil {
		return nil, exit{exitBroken, err.Error()}
	}
	if snap == nil {
		a.printDiags(diags)
		if a.profile != "" && len(diags) == 1 && diags[0].Code == "C150" { // a profile that is not defined
			return nil, exit{exitBroken, "--profile names none of the configuration in " + opt.Display + "; nothing was run"}
		}
		return nil, exit{exitBroken, fmt.Sprintf("the configuration in %s is not valid; nothing was run", opt.Display)}
	}
	svc := service.New(snap)
	a.services = append(a.services, svc)
	return svc, nil
}
