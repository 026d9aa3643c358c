package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// apiFile is the file that the control API writes, in one of the user's own directories.
const apiFile = "api.cue"

// noFile is the tag of a missing file.
const noFile = "none"

// place is the location of that file.
type place struct {
	layer int // index in the options' layers
	path  string
	shown string
}

// WrittenDir returns the directory whose file the control API replaces: the last of the user's own, or "". A
// project's directory is never written, even on request: its content was allowed as the user saw it.
func (s *Snapshot) WrittenDir() string {
	if i := s.opt.writtenLayer(); i >= 0 {
		return s.opt.layers()[i].Dir
	}
	return ""
}

func (o Options) writtenLayer() int {
	list := o.layers()
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].Project {
			return i
		}
	}
	return -1
}

func (c Controller) place(opt Options) (place, error) {
	i := opt.writtenLayer()
	if i < 0 {
		return place{}, api.NewProblem(api.ConfigNoPlace, "there is not a directory with a configuration of your own", "make one with: compactor init ~/.config/compactor, and start compactor serve again")
	}
	l := opt.layers()[i]
	return place{i, filepath.Join(l.Dir, apiFile), path.Join(l.Display, apiFile)}, nil
}

// read returns the file and its tag. It does not follow links, whose targets may belong
// to someone else.
func (p place) read() (text []byte, tag string, err error) {
	info, err := os.Lstat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, "", api.NewProblem(api.ConfigNoPlace, p.shown+" is not a regular file", "put a file in its place")
	case err == nil && info.Size() > config.MaxFileSize:
		return nil, "", api.NewProblem(api.ConfigNoPlace, p.shown+" is larger than a configuration can be", "make it smaller by hand")
	}
	if err == nil {
		text, err = os.ReadFile(p.path)
	}
	if err != nil {
		return nil, "", api.NewProblem(api.ConfigNoPlace, p.shown+" cannot be read: "+bareError(err), "make it readable for the user who serves")
	}
	return text, tagOf(text), nil
}

func tagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// bareError returns an error without the operation and path around it.
func bareError(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// Text returns the file that Configure replaces, and its tag.
func (c Controller) Text(context.Context) (text []byte, tag string, err error) {
	at, err := c.place(c.Snapshot().opt)
	if err != nil {
		return nil, "", err
	}
	return at.read()
}

// Configure replaces the file if it still has the given tag. It loads and opens the configuration with the new text
// before writing it; that loaded configuration then takes effect.
func (c Controller) Configure(ctx context.Context, text []byte, tag string) (*api.Configured, error) {
	opt, err := c.Options()
	if err != nil {
		return nil, err
	}
	at, err := c.place(opt)
	if err != nil {
		return nil, err
	}
	c.reloading.Lock() // so that no reload reads the old file and takes effect after this
	defer c.reloading.Unlock()
	if err := at.checkTag(tag); err != nil {
		return nil, err
	}
	next, diags, err := Load(ctx, opt.withFile(at.layer, text))
	switch {
	case err != nil:
		return nil, api.NewProblem(api.ConfigInvalid, c.Snapshot().Egress.Line(err.Error()), "nothing was changed")
	case next == nil:
		p := api.NewProblem(api.ConfigInvalid, "the configuration would not be valid with this text", "nothing was changed; each mistake has its place")
		p.Diagnostics = c.diagnostics(diags)
		return nil, p
	}
	next.changeCompiled(func(c *compiled) { c.opt = opt }) // from here on the file itself is read
	if err := c.checkAdmission(next); err != nil {
		_ = next.Close()
		return nil, api.NewProblem(api.ConfigHeld, c.Snapshot().Egress.Line(err.Error()), "nothing was changed")
	}
	if err := c.writeFile(at, text, tag); err != nil {
		_ = next.Close()
		return nil, err
	}
	c.emitReloaded(diags, nil)
	c.adoptSnapshot(next)
	return &api.Configured{File: at.shown, Tag: tagOf(text), Warnings: c.diagnostics(diags)}, nil
}

// withFile replaces the text of a layer's file.
func (o Options) withFile(layer int, text []byte) Options {
	list := slices.Clone(o.layers())
	list[layer].Instead = map[string]string{apiFile: string(text)}
	o.Layers = list
	return o
}

// checkTag returns an error if the file has another tag by now.
func (p place) checkTag(tag string) error {
	_, now, err := p.read()
	if err != nil {
		return err
	}
	if now != tag {
		e := api.NewProblem(api.ConfigChanged, p.shown+" is not the one that you have seen: somebody has changed it meanwhile", "get it again, and change that")
		e.Tag = now
		return e
	}
	return nil
}

// writeFile checks the tag again, since an editor may have saved the file while the
// configuration was loading.
func (c Controller) writeFile(at place, text []byte, tag string) error {
	if err := at.checkTag(tag); err != nil {
		return err
	}
	if err := c.Replace(at.path, text); err != nil {
		return api.NewProblem(api.ConfigNotWritten, at.shown+" cannot be written: "+bareLink(err), "nothing was changed; see who may write to that directory")
	}
	return nil
}

func bareLink(err error) string {
	var at *os.LinkError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return bareError(err)
}
