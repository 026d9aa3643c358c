package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// TryHistoryCommand is the subcommand that runs [TryHistory].
const TryHistoryCommand = "try-history"

// historyTrial is the input of TryHistory.
type historyTrial struct {
	Grants landlock.Grants `json:"grants"`
	Roots  []string        `json:"roots"`
}

// historyFound is the output of TryHistory.
type historyFound struct {
	Refused map[string]string `json:"refused"` // root → why its history is not read
	Shell   bool              `json:"shell"`   // a shell could be started, which it must not
}

// checkHistory reports which git is used, and why the history of a root is not read. It
// opens each repository normally, and then in a process restricted like those that
// answer questions: what stops git there is not visible from outside.
func checkHistory(ctx context.Context, snap *service.Snapshot) []Check {
	const subject = "git history"
	var opened []string
	var out []Check
	for _, r := range snap.Roots.Roots() {
		switch err := readHistory(ctx, r.Path()); {
		case errors.Is(err, githistory.ErrNoRepository):
		case errors.Is(err, githistory.ErrNoGit):
			return []Check{{subject, Warn, "git was not found on the PATH: answers go without what past commits say", "install git, or put its directory on the PATH of compactor"}}
		case err != nil:
			found, do, _ := strings.Cut(err.Error(), "; ")
			out = append(out, Check{subject, Warn, "it is not read: " + found, do})
		default:
			opened = append(opened, r.Path())
		}
	}
	if len(opened) == 0 {
		if len(out) == 0 {
			out = append(out, Check{subject, Good, "no root lies in a git repository", ""})
		}
		return out
	}
	git, _ := githistory.Program() // found a moment ago
	if snap.Wall().Why != "" {
		return append(out, Check{subject, Good, "read with " + git, ""})
	}
	tried, err := tryShutIn(ctx, historyTrial{snap.Grants(), opened})
	if err != nil {
		return append(out, Check{subject, Warn, "it was not tried behind the second wall: " + err.Error(), ""})
	}
	if tried.Shell {
		return append(out, Check{subject, Bad, "a shell can be started behind the second wall, and with it what a repository brings", "report it, with the output of: compactor version"})
	}
	for _, root := range opened {
		if why := tried.Refused[root]; why != "" {
			return append(out, Check{subject, Warn, fmt.Sprintf("it is not read behind the second wall, where %s does not run: %s", git, why),
				"a git that is a script, or has its libraries in a place of its own, cannot be started there: put the system's git first on the PATH, or set " + landlock.Variable + "=off"})
		}
	}
	return append(out, Check{subject, Good, "read with " + git + ", which is shut in too, and the only program that can be started there", ""})
}

// readHistory opens the repository that contains root and reads its newest commit.
func readHistory(ctx context.Context, root string) error {
	repo, err := githistory.Open(ctx, root)
	if err != nil {
		return err
	}
	return repo.Past(ctx, 1, func(githistory.Past) error { return nil })
}

// tryShutIn runs TryHistory in another process.
func tryShutIn(ctx context.Context, trial historyTrial) (*historyFound, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	in, err := json.Marshal(trial)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, TryHistoryCommand)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	found := &historyFound{}
	return found, json.Unmarshal(out, found)
}

// TryHistory restricts this process and writes, for each root it reads from in, why its
// history is not read. It also tries to start a shell, which must fail.
func TryHistory(ctx context.Context, in io.Reader, out io.Writer) error {
	var trial historyTrial
	if err := json.NewDecoder(in).Decode(&trial); err != nil {
		return err
	}
	githistory.RememberTrusted(ctx)
	if st := landlock.Restrict(trial.Grants); !st.InForce {
		return errors.New(st.Why)
	}
	found := historyFound{Refused: map[string]string{}, Shell: exec.CommandContext(ctx, "/bin/sh", "-c", ":").Run() == nil}
	for _, root := range trial.Roots {
		if err := readHistory(ctx, root); err != nil {
			found.Refused[root] = err.Error()
		}
	}
	return json.NewEncoder(out).Encode(found)
}
