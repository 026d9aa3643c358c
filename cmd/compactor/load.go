package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"compactor"
	"compactor/builtins"
	"compactor/runtime/config"
	"compactor/runtime/config/bounded"
	"compactor/runtime/diag"
	"compactor/runtime/service"
	"compactor/runtime/store"
)

// options locates the configuration and says how to load it.
func (a *app) options() (service.Options, error) {
	work, err := os.Getwd()
	if err != nil {
		return service.Options{}, exit{exitBroken, "the current directory is gone: " + err.Error()}
	}
	user, _ := os.UserConfigDir() // "" where there is none: not looked at then
	dir, how := config.FindDir(a.configDir, os.Getenv("COMPACTOR_CONFIG"), work, user)
	opt := service.Options{Defaults: compactor.Defaults, Dir: dir, Work: work, Builtins: builtins.All, Cache: a.cache, NoModel: a.noModel,
		Lookup: os.LookupEnv, State: filepath.Dir(store.DefaultPath(os.Getenv)), Version: versionString(), Logger: a.log, Load: bounded.Load}
	opt.Display, opt.Found = shown(work, dir), how == config.InWork
	a.recorder.join(&opt)
	if len(a.roots) > 0 {
		opt.Roots = map[string][]string{"code": a.roots}
	}
	return opt, nil
}

// shown is a directory as messages name it: relative where that is shorter.
func shown(work, dir string) string {
	abs, err := filepath.Abs(dir)
	if dir == "" || err != nil {
		return ""
	}
	if rel, err := filepath.Rel(work, abs); err == nil && len(rel) < len(abs) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(dir)
}

// load compiles the configuration or prints what is wrong with it.
func (a *app) load(ctx context.Context) (*service.Service, error) {
	opt, err := a.options()
	if err != nil {
		return nil, err
	}
	defer growHeap(growLoading)()
	snap, diags, err := service.Load(ctx, opt)
	if err != nil {
		return nil, exit{exitBroken, err.Error()}
	}
	if snap == nil {
		a.printDiags(diags)
		return nil, exit{exitBroken, fmt.Sprintf("the configuration in %s is not valid; nothing was run", opt.Display)}
	}
	svc := service.New(snap)
	a.services = append(a.services, svc)
	return svc, nil
}

func (a *app) printDiags(list diag.List) { _ = diag.Text(a.err, list, sourceText) }

// sourceText reads the file that a diagnostic is about, for its excerpt.
func sourceText(file string) []byte {
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return nil
	}
	return data
}
