package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Write stores data under a name. Without overwrite, a name that exists is ErrExists, even if another process creates
// it at the same time. A name that is not valid is ErrBadName: up to 128 letters, digits, ".", "_" and "-" are allowed,
// and the first must be a letter or digit.
func (a *ArtifactDir) Write(ctx context.Context, name string, data []byte, overwrite bool) error {
	switch {
	case !validArtifactName(name):
		return &PathError{Root: "artifacts", Path: name, Err: ErrBadName, Hint: "use letters, digits, dots, underscores and hyphens"}
	case len(data) > MaxArtifact:
		return &PathError{Root: "artifacts", Path: name, Err: ErrTooLarge, Hint: fmt.Sprintf("the limit is %d bytes", MaxArtifact)}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	root, err := a.open(true)
	if err != nil {
		return err
	}
	defer root.Close()
	temp, err := writeTemp(root, data)
	if err == nil {
		err = publishTemp(ctx, root, temp, name, overwrite)
	}
	if err != nil {
		root.Remove(temp)
		return artifactError(name, err)
	}
	return nil
}

// writeTemp writes a new file and syncs it to the disk.
func writeTemp(root *os.Root, data []byte) (name string, err error) {
	name = tempPrefix + rand.Text()
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return name, err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return name, err
}

// publishTemp gives a complete file its name. Without overwrite it links, which unlike renaming fails if the name exists.
func publishTemp(ctx context.Context, root *os.Root, temp, name string, overwrite bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if overwrite {
		if err := root.Rename(temp, name); err != nil {
			return err
		}
		return syncDir(root)
	}
	err := root.Link(temp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = claimName(root, temp, name) // a file system without hard links
	}
	if err != nil {
		return err
	}
	root.Remove(temp)
	return syncDir(root)
}

// claimName reserves a name by creating it exclusively, and then renames the complete file over it.
func claimName(root *os.Root, temp, name string) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	if err := root.Rename(temp, name); err != nil {
		root.Remove(name)
		return err
	}
	return nil
}

// maxArtifactName bounds a name in bytes.
const maxArtifactName = 128

// validArtifactName reports whether name is a plain file name on all three systems. Windows treats NUL, COM1 and the
// like as devices whatever their extension, and drops a dot at the end.
func validArtifactName(name string) bool {
	if name == "" || len(name) > maxArtifactName || !isLetter(name[0]) && !isDigit(name[0]) || strings.HasSuffix(name, ".") {
		return false
	}
	for _, c := range []byte(name) {
		if !isLetter(c) && !isDigit(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if len(base) == 4 && isDigit(base[3]) && (base[:3] == "com" || base[:3] == "lpt") {
		return false
	}
	return base != "con" && base != "prn" && base != "aux" && base != "nul"
}

// artifactError adds the name to an error, without the directory's path.
func artifactError(name string, err error) error {
	var known *fault
	var whole *PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &whole):
		return err
	case errors.As(err, &known):
	case errors.Is(err, fs.ErrExist):
		return &PathError{Root: "artifacts", Path: name, Err: ErrExists, Hint: "choose another name, or ask for it to be replaced"}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		return &PathError{Root: "artifacts", Path: name, Err: ErrUnwritable, Hint: plainCause(err)}
	}
	return &PathError{Root: "artifacts", Path: name, Err: known}
}

// plainCause returns the innermost message of an error ("no space left on device"), without the path in front of it.
func plainCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}
