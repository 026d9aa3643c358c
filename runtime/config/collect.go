package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Limits of one configuration. A directory beyond these was not written for compactor by hand.
const (
	MaxFileSize = 1 << 20
	maxFiles    = 1_000
	maxDepth    = 8
)

// collector reads a user's directory: *.cue at its top and below pipelines/.
type collector struct {
	root    *os.Root
	display string
	instead map[string]string // see Layer.Instead
	side    side
	found   []string
	files   []*file
	diags   diag.List
	full    bool
}

// collect reads every file of a configuration, ordered by name. It returns an error if
// the directory cannot be read at all, and ErrNotPlain as soon as the files have more than
// maxSize bytes together.
func collect(ctx context.Context, layer Layer, by side, maxSize int) ([]*file, diag.List, error) {
	dir, display := layer.Dir, layer.Display
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("configuration directory %s: %s", shownDir(display, dir), reason(err))
	}
	defer root.Close()
	c := &collector{root: root, display: display, instead: layer.Instead, side: by}
	if err := c.listNames(".", 0); err != nil {
		return nil, nil, fmt.Errorf("configuration directory %s: %s", shownDir(display, dir), reason(err))
	}
	for name := range c.instead {
		if !slices.Contains(c.found, name) {
			c.addFile(name)
		}
	}
	slices.Sort(c.found)
	for _, name := range c.found {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("configuration directory %s: reading was given up: %w", shownDir(display, dir), err)
		}
		stepOf(ctx)(Step{"reading", path.Join(c.display, name)})
		if maxSize -= c.readFile(name); maxSize < 0 {
			return nil, nil, ErrNotPlain
		}
	}
	if len(c.found) == 0 && len(c.diags) == 0 {
		c.warn("C005", c.dirRange("."), "the directory holds no *.cue file; the built-in configuration is used alone")
	}
	return c.files, c.diags, nil
}

// shownDir names the directory in errors: as the user wrote it, or else by its last
// element, because absolute paths reveal more than they should.
func shownDir(display, dir string) string {
	if display != "" {
		return display
	}
	return path.Base(strings.ReplaceAll(dir, "\\", "/"))
}

// shownLayers names the last directory, which is the one that a person is working on.
func shownLayers(list []Layer) string {
	if len(list) == 0 {
		return "built in"
	}
	last := list[len(list)-1]
	return shownDir(last.Display, last.Dir)
}

// reason returns an error's cause without the path that os adds.
func reason(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// listNames collects names. It enters only pipelines/ and skips names that begin with . or _,
// as CUE itself does.
func (c *collector) listNames(dir string, depth int) error {
	entries, err := fs.ReadDir(c.root.FS(), dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case c.full || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_"):
		case name == EditorFile:
			c.editorFile(name)
		case strings.HasSuffix(e.Name(), ".cue"):
			c.addFile(name)
		case name == "pipelines" || dir != ".":
			c.enterDir(name, e, depth)
		case e.IsDir():
			c.warnUnread(name)
		}
	}
	return nil
}

// editorFile warns about a file that has the name of the one for editors but is not it:
// its contents have no effect.
func (c *collector) editorFile(name string) {
	text, problem, _ := c.readText(name)
	if problem != "" || !strings.HasPrefix(string(text), generated) {
		c.warn("C015", c.dirRange(name), "is not read: a file of this name is for editors, and compactor init --schemas writes it; rename it")
	}
}

func (c *collector) addFile(name string) {
	if len(c.found) == maxFiles {
		c.full = true
		c.fail(c.dirRange("."), fmt.Sprintf("the directory holds more than %d *.cue files", maxFiles),
			"choose a directory that holds a configuration and nothing else")
		return
	}
	c.found = append(c.found, name)
}

func (c *collector) enterDir(name string, e fs.DirEntry, depth int) {
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		c.fail(c.dirRange(name), "is a link; links to directories are not followed", "move its files here, or name their directory with --config")
	case !e.IsDir():
	case depth >= maxDepth:
		c.fail(c.dirRange(name), fmt.Sprintf("is nested more than %d directories deep", maxDepth), "")
	default:
		if err := c.listNames(name, depth+1); err != nil {
			c.fail(c.dirRange(name), "cannot be read: "+reason(err), "")
		}
	}
}

// warnUnread warns about CUE files that look like part of the configuration but are not:
// edits to them would silently have no effect.
func (c *collector) warnUnread(name string) {
	if name == "cue.mod" || name == "schemas" || name == "testdata" {
		return
	}
	entries, err := fs.ReadDir(c.root.FS(), name)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".cue") && e.Type().IsRegular() {
			c.warn("C015", c.dirRange(path.Join(name, e.Name())), "is not read: a configuration is *.cue at its top and below pipelines/")
			return
		}
	}
}

// readFile reads one file and returns its size.
func (c *collector) readFile(name string) int {
	text, problem, help := c.readText(name)
	if problem != "" {
		c.fail(c.dirRange(name), problem, help)
		return 0
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	c.files = append(c.files, &file{name: path.Join(c.display, name), text: text, side: c.side})
	return len(text)
}

// readText reads one file, or describes in the user's terms why it cannot.
func (c *collector) readText(name string) (text []byte, problem, help string) {
	if said, ok := c.instead[name]; ok {
		return checkText([]byte(said))
	}
	info, err := c.root.Stat(name)
	switch {
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return nil, "is a link that leads out of the configuration directory", "copy the file here"
	case err != nil:
		return nil, "cannot be read: " + reason(err), ""
	case info.IsDir():
		return nil, "is a directory with the name of a file", "rename it without .cue"
	case !info.Mode().IsRegular():
		return nil, "is not a regular file", ""
	case info.Size() > MaxFileSize:
		return nil, fmt.Sprintf("is larger than %d bytes", MaxFileSize), "no configuration is that large; split it if it is one"
	}
	f, err := c.root.Open(name)
	if err != nil {
		return nil, "cannot be read: " + reason(err), ""
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, "cannot be read: " + reason(err), ""
	}
	return checkText(text)
}

// checkText returns text if it can be part of a configuration, otherwise what is wrong with it.
func checkText(text []byte) (_ []byte, problem, help string) {
	switch {
	case len(text) > MaxFileSize:
		return nil, fmt.Sprintf("is larger than %d bytes", MaxFileSize), "no configuration is that large; split it if it is one"
	case !utf8.Valid(text):
		return nil, "is not UTF-8 text", "save it as UTF-8"
	}
	return text, "", ""
}

func (c *collector) dirRange(name string) diag.Range {
	return diag.Range{File: path.Join(c.display, name)}
}

func (c *collector) fail(at diag.Range, message, help string) {
	c.diags = append(c.diags, diag.Diagnostic{Code: "C004", Severity: diag.Error, Range: at, Message: message, Help: help})
}

func (c *collector) warn(code string, at diag.Range, message string) {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Severity: diag.Warning, Range: at, Message: message})
}
