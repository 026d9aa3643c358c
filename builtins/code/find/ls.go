package find

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// LsInput is the input of code.ls.
type LsInput struct {
	Path  string `json:"path,omitempty" doc:"directory to list; the roots when left out"`
	Depth int    `json:"depth" doc:"levels of directories listed" default:"1" min:"1" max:"3"`
	Limit int    `json:"limit" doc:"entries returned at most; deeper levels are left out first" default:"200" min:"1" max:"2000"`
}

// LsOutput lists a directory in path order.
type LsOutput struct {
	Entries   []LsEntry `json:"entries" doc:"files and directories, in path order"`
	Total     int       `json:"total" doc:"entries of these levels, also beyond the limit"`
	Truncated bool      `json:"truncated" doc:"there are more than are listed"`
	Notes     string    `json:"notes,omitempty" doc:"what was cut"`
}

// LsEntry is one file or directory. Ignored and secret ones are not listed.
type LsEntry struct {
	Path  string `json:"path" doc:"path as references name it"`
	Kind  string `json:"kind" doc:"what it is" enum:"file,dir"`
	Bytes int64  `json:"bytes,omitempty" doc:"size of a file in bytes"`
	Files int    `json:"files,omitempty" doc:"files below a directory, at any depth"`

	level int
}

// Ls returns code.ls, which lists a directory with the number of files below each entry.
func Ls() catalog.Builtin {
	return catalog.New("code.ls", "list a directory with the number of files below each one", catalog.Roots, listDirectory)
}

func listDirectory(ctx context.Context, env *catalog.Env, in LsInput) (LsOutput, error) {
	out := LsOutput{Entries: []LsEntry{}}
	places, err := resolveSubtrees(ctx, env, in.Path)
	if err != nil {
		return out, err
	}
	l := lister{env: env, depth: clampLimit(in.Depth, 1, 3)}
	scan, cancel := source.LimitScan(ctx, env.Scan)
	defer cancel()
	for _, b := range places {
		if err := l.listSubtree(scan, b, len(places) > 1); err != nil && scan.Err() == nil {
			return out, err
		}
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if scan.Err() != nil {
		l.said.addTimeCut(env, "path")
	}
	out.Total = len(l.entries)
	limit := clampLimit(in.Limit, 1, 2000)
	out.Entries = keepShallowest(l.entries, limit)
	out.Truncated = l.said.partial || out.Total > limit
	out.Notes = l.said.String()
	return out, nil
}

// lister collects the entries of all places.
type lister struct {
	env     *catalog.Env
	depth   int
	entries []LsEntry
	below   map[string]int // files below each directory of one root, by path
	said    noteList
}

// listSubtree lists one place. If several roots are listed, each is an entry of its own and uses up a
// level.
func (l *lister) listSubtree(ctx context.Context, b subtree, rooted bool) error {
	files, _, err := b.files(ctx)
	if err != nil {
		return source.WithCode(err)
	}
	l.below = countBelow(files)
	switch {
	case !b.dir:
		l.add(b.root, files[0], 1)
		return nil
	case !rooted:
		return l.dir(ctx, b.root, b.rel, 1)
	}
	l.entries = append(l.entries, LsEntry{Path: b.root.Name(), Kind: "dir", Files: l.below["."], level: 1})
	if l.depth == 1 {
		return nil
	}
	return l.dir(ctx, b.root, b.rel, 2)
}

// dir lists a directory and, while depth allows, its subdirectories. A subdirectory that was
// deleted or became unreadable in the meantime is left out.
func (l *lister) dir(ctx context.Context, root *sandbox.Root, rel string, level int) error {
	entries, err := root.ReadDir(ctx, rel)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && level == 1 {
		return source.WithCode(err)
	}
	for _, e := range entries {
		l.add(root, e, level)
		if !e.Dir || e.Link || level >= l.depth {
			continue
		}
		if err := l.dir(ctx, root, e.Path, level+1); err != nil {
			return err
		}
	}
	return nil
}

func (l *lister) add(root *sandbox.Root, e sandbox.Entry, level int) {
	entry := LsEntry{Path: l.env.Roots.Ref(root, e.Path), Kind: "file", Bytes: e.Size, level: level}
	if e.Dir {
		entry.Kind, entry.Bytes, entry.Files = "dir", 0, l.below[e.Path]
	}
	l.entries = append(l.entries, entry)
}

// countBelow counts the files below every directory.
func countBelow(files []sandbox.Entry) map[string]int {
	below := map[string]int{".": len(files)}
	for _, f := range files {
		for dir := f.Path; ; {
			i := strings.LastIndexByte(dir, '/')
			if i < 0 {
				break
			}
			dir = dir[:i]
			below[dir]++
		}
	}
	return below
}

// keepShallowest keeps the first limit entries, upper levels before deeper ones, and returns them
// in path order.
func keepShallowest(entries []LsEntry, limit int) []LsEntry {
	if len(entries) > limit {
		slices.SortStableFunc(entries, func(a, b LsEntry) int { return cmp.Compare(a.level, b.level) })
		entries = entries[:limit]
	}
	slices.SortStableFunc(entries, func(a, b LsEntry) int { return cmp.Compare(a.Path, b.Path) })
	return append([]LsEntry{}, entries...)
}
