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
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// options locates the configuration and says how to load it.
func (a *app) options() (service.Options, error) {
	work, err := os.Getwd()
	if err != nil {
		return service.Options{}, exit{exitBroken, "the current directory is gone: " + err.Error()}
	}
	user, _ := os.UserConfigDir() // "" where there is none: not looked at then
	place, err := consent.Find(consent.Query{Flag: configIn(a.configDir), Env: os.Getenv("COMPACTOR_CONFIG"), Work: work, User: user, Roots: a.roots, Trust: a.trustConfig})
	if err != nil {
		return service.Options{}, exit{exitBroken, err.Error()}
	}
	opt := service.Options{Defaults: compactor.Defaults, Place: place, Load: bounded.Load, Work: work, Builtins: builtins.All, Extractors: extractors, Indexes: a.indexes, Profile: a.profile, Several: a.several, Cache: a.cache, NoModel: a.noModel,
		Lookup: os.LookupEnv, State: stateDir(), Version: versionString(), Logger: a.log, Events: a.events}
	a.recorder.join(&opt)
	if len(a.roots) > 0 {
		opt.Roots = map[string][]string{"code": a.roots}
	}
	return opt, nil
}

// configIn is the configuration of a project that is named in its place: a directory
// that holds no CUE file of its own.
func configIn(dir string) string {
	if dir == "" {
		return ""
	}
	if own, err := filepath.Glob(filepath.Join(dir, "*.cue")); err != nil || len(own) > 0 {
		return dir
	}
	return projectConfig(dir)
}

// stateDir holds what outlives a run, "" where no variable says where that is: the
// working directory, which a project may have filled, is no place for it.
func stateDir() string {
	if file := store.DefaultPath(os.Getenv); file != "" {
		return filepath.Dir(file)
	}
	return ""
}

// load compiles the configuration or prints what is wrong with it.
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
