package source

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// ResolvePath resolves a path. If it does not exist, the error suggests similar paths.
func ResolvePath(ctx context.Context, env *catalog.Env, path string) (*sandbox.Root, string, sandbox.Entry, error) {
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

// FileStem returns the name of a file in lower case, without directory and extension.
func FileStem(p string) string {
	base, _, _ := strings.Cut(path.Base(p), ".")
	return strings.ToLower(base)
}
