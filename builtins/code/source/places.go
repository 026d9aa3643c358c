package source

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// A Branch is a directory, or one file, of a root that a call searches.
type Branch struct {
	Root *sandbox.Root
	Rel  string // "." is the whole root
	Dir  bool
}

// ResolveBranches returns what a call has to search: the place named by under, or every root in
// order.
func ResolveBranches(ctx context.Context, env *catalog.Env, under string) ([]Branch, error) {
	roots := env.Roots.Roots()
	if under = strings.TrimSpace(under); under == "" || under == "." || under == "./" {
		if len(roots) == 0 {
			_, _, err := env.Roots.Resolve(".")
			return nil, WithCode(err)
		}
		all := make([]Branch, len(roots))
		for i, r := range roots {
			all[i] = Branch{Root: r, Rel: ".", Dir: true}
		}
		return all, nil
	}
	root, rel, e, err := FindPlace(ctx, env, under)
	if err != nil {
		return nil, err
	}
	return []Branch{{Root: root, Rel: rel, Dir: e.Dir}}, nil
}

// FindPlace resolves a path. If it does not exist, the error suggests similar paths.
func FindPlace(ctx context.Context, env *catalog.Env, path string) (*sandbox.Root, string, sandbox.Entry, error) {
	root, rel, err := env.Roots.Resolve(path)
	if err != nil {
		return nil, "", sandbox.Entry{}, WithCode(err)
	}
	e, err := root.Stat(rel)
	if errors.Is(err, sandbox.ErrNotFound) {
		return nil, "", e, &pathError{err: err, similar: SimilarPaths(ctx, env, env.Roots.Ref(root, rel))}
	}
	return root, rel, e, WithCode(err)
}

// Files lists the visible files of a branch.
func (b Branch) Files(ctx context.Context) ([]sandbox.Entry, sandbox.WalkStats, error) {
	files, stats, err := b.Root.Files(ctx, b.Rel)
	return files, stats, WithCode(err)
}

// Names returns the names by which a glob may match a file of the branch: its path in the root, its
// path in the branch, and its reference.
func (b Branch) Names(env *catalog.Env, rel string) []string {
	names := append(make([]string, 0, 3), rel)
	if in, ok := strings.CutPrefix(rel, b.Rel+"/"); ok {
		names = append(names, in)
	}
	if ref := env.Roots.Ref(b.Root, rel); ref != rel {
		names = append(names, ref)
	}
	return names
}

// A pathError is an error of the sandbox with its code and suggestions for the path.
type pathError struct {
	err     error
	similar []string
}

func (e *pathError) Error() string {
	if len(e.similar) == 0 {
		return e.err.Error()
	}
	return e.err.Error() + "; did you mean " + alternatives(e.similar) + "?"
}

func (e *pathError) Unwrap() error { return e.err }

// Code returns the sandbox's code, such as PATH_NOT_FOUND.
func (e *pathError) Code() string { return sandbox.Code(e.err) }

// WithCode adds the code to an error of the sandbox, and leaves other errors unchanged.
func WithCode(err error) error {
	if err == nil || sandbox.Code(err) == "" {
		return err
	}
	return &pathError{err: err}
}

func alternatives(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// InputError returns the error for an invalid argument of a builtin.
func InputError(builtin, format string, args ...any) error {
	return &catalog.InputError{Builtin: builtin, Err: fmt.Errorf(format, args...)}
}

// ShortenInput shortens a user's text to at most 80 bytes for an error.
func ShortenInput(s string) string { return contract.Shorten(s, 80) }

// ParsePlace parses the forms in which people and models name a place in a file: path, path:12,
// path:12:3, path:12-40, path#L12, path#L12-L40. Missing lines are 0. A suffix that is not a number
// belongs to the path.
func ParsePlace(s string) (path string, from, to int) {
	if head, tail, ok := strings.Cut(s, "#L"); ok {
		if from, to, ok = lineRange(strings.ReplaceAll(tail, "L", "")); ok {
			return head, from, to
		}
	}
	if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Contains(s[i:], "-") {
		if from, to, ok := lineRange(s[i+1:]); ok {
			return s[:i], from, to
		}
	}
	r := contract.ParseReference(s)
	return r.Path, r.Line, 0
}

// lineRange parses "12" and "12-40".
func lineRange(s string) (from, to int, ok bool) {
	first, last, isRange := strings.Cut(s, "-")
	from, err := strconv.Atoi(first)
	if err != nil || from <= 0 {
		return 0, 0, false
	}
	if isRange {
		if to, err = strconv.Atoi(last); err != nil || to <= 0 {
			return 0, 0, false
		}
	}
	return from, to, true
}

// LimitScan bounds how long a call searches the tree. Its timeout is not an error: the results so
// far are returned and marked as partial.
func LimitScan(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// Remarks collects the notes of an answer, each once.
type Remarks struct {
	said    []string
	Partial bool // something was not searched or not shown
}

// Add adds a note unless it is there already.
func (r *Remarks) Add(format string, args ...any) {
	r.said = AppendNew(r.said, fmt.Sprintf(format, args...))
}

// Cut adds a note on something that is missing.
func (r *Remarks) Cut(format string, args ...any) {
	r.Partial = true
	r.Add(format, args...)
}

// CutByTime notes that the scan was cut, also in the ledger.
func (r *Remarks) CutByTime(env *catalog.Env) {
	env.Ledger.Cut("scan time")
	r.Cut("the time for scanning (%s) ended before every file was seen; name a directory in under", env.Scan)
}

func (r *Remarks) String() string { return strings.Join(r.said, "; ") }

// Clamp clamps a number that no schema has checked.
func Clamp(n, low, high int) int { return max(low, min(n, high)) }
