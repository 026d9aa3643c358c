//go:build unix

package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	loginTime   = 2 * time.Second // a profile may hang, or ask something
	loginOutput = 1 << 20         // bytes of output that are read
)

// logins caches the results: each shell is asked for its PATH once.
var logins = struct {
	sync.Mutex
	paths map[string]login
}{paths: map[string]login{}}

type login struct {
	path []string
	said string // the result of asking, for the error
}

// loginPath returns the PATH of the user's login shell and, for an error message, the result of asking.
func loginPath(ctx context.Context, env []string) ([]string, string) {
	shell := lookup(env, "SHELL")
	if shell == "" {
		return nil, ""
	}
	key := shell + "\x00" + lookup(env, "HOME")
	logins.Lock()
	defer logins.Unlock()
	if l, ok := logins.paths[key]; ok {
		return l.path, l.said
	}
	l := askShell(ctx, shell, env)
	if ctx.Err() == nil { // an interrupted request is repeated
		logins.paths[key] = l
	}
	return l.path, l.said
}

// askShell runs the shell as a login does. Two markers separate the PATH from the profile's own output; everything the
// profile starts is ended with the shell.
func askShell(ctx context.Context, shell string, env []string) login {
	if whyNot(shell) != nil || !filepath.IsAbs(shell) {
		return login{said: fmt.Sprintf(" (the login shell %s could not be asked)", shell)}
	}
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	id := newID()
	open, shut := "<"+id+">", "</"+id+">"
	cmd := exec.Command(shell, "-lc", fmt.Sprintf(`printf '%%s' '%s' "$PATH" '%s'`, open, shut))
	cmd.Env, cmd.Dir = withVariable(env, Marker, id+".login"), "/"
	out, in, err := os.Pipe()
	if err != nil {
		return login{said: " (the login shell could not be asked: " + err.Error() + ")"}
	}
	defer out.Close()
	cmd.Stdout = in
	t, err := startTree(cmd, id+".")
	in.Close()
	if err != nil {
		return login{said: fmt.Sprintf(" (the login shell %s could not be asked: %v)", shell, err)}
	}
	stop := context.AfterFunc(ctx, func() { out.Close() })
	text, found := readBetween(out, open, shut)
	stop()
	t.kill()
	t.awaitExit()
	_ = cmd.Wait()
	_ = t.end(0)
	if !found {
		return login{said: fmt.Sprintf(" (the login shell %s did not tell its own within %v)", shell, loginTime)}
	}
	return login{path: filepath.SplitList(text), said: fmt.Sprintf(", on that of the login shell %s (%s)", shell,
		strings.Join(filepath.SplitList(text), ", "))}
}

// readBetween reads until it has seen both markers, and returns the text between them.
func readBetween(r io.Reader, open, shut string) (string, bool) {
	var all bytes.Buffer
	buf := make([]byte, 4096)
	for all.Len() < loginOutput {
		n, err := r.Read(buf)
		all.Write(buf[:n])
		_, after, ok := bytes.Cut(all.Bytes(), []byte(open))
		if text, _, closed := bytes.Cut(after, []byte(shut)); ok && closed {
			return string(text), true
		}
		if err != nil {
			break
		}
	}
	return "", false
}
