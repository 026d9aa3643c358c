// Command compactor keeps a local model's context small: it researches a
// codebase and hands over a few hundred tokens of evidence, on the command
// line or as an MCP server.
//
// One file per subcommand; they join the builtins to the runtime and hold no
// logic of their own.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"compactor/runtime/redact"
	"compactor/runtime/service"
)

func main() { os.Exit(Main(os.Args[1:])) }

// Exit codes, the same for every command.
const (
	exitDone    = 0
	exitInvalid = 1 // not found, or the configuration has errors
	exitBroken  = 2 // could not run
)

// exit carries a code through cobra. An empty message prints nothing.
type exit struct {
	code int
	msg  string
}

func (e exit) Error() string { return e.msg }

// Main runs one command line and returns its exit code.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, onTerminal: term.IsTerminal(int(os.Stdout.Fd()))}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	a.close()
	var e exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		if e.msg != "" {
			fmt.Fprintln(os.Stderr, "compactor: "+e.msg)
		}
		return e.code
	}
	fmt.Fprintln(os.Stderr, "compactor: "+err.Error())
	return exitBroken
}

// app is what all commands share.
type app struct {
	in       io.Reader
	out, err io.Writer

	onTerminal bool // out is one

	configDir string
	roots     []string
	cache     bool // this process answers many questions
	noModel   bool
	recorder  *recorder
	services  []*service.Service // to be closed at the end
	log       *slog.Logger       // nil is silent
}

// safe is what another program said as it may be printed: as it is for a file or
// another program, without what would steer a terminal for that.
func (a *app) safe(text string) string {
	if a.onTerminal {
		return redact.Strip(text)
	}
	return text
}

// close stops what commands have started.
func (a *app) close() {
	for _, svc := range a.services {
		_ = svc.Close()
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "compactor",
		Short: "Answer questions about code in a few hundred checked tokens",
		Long: `compactor keeps a local model's context small. It searches, ranks and reads a
codebase and answers with path:line references that resolve, on the command
line or as an MCP server for LM Studio and other chat clients.

  compactor research "where are roots opened?"     ask about the current directory
  compactor install lmstudio                       add it to LM Studio
  compactor import ~/.lmstudio/mcp.json            put other MCP servers behind it
  compactor init                                   write a configuration to edit
  compactor validate                               check it`,
		SilenceUsage:  true,
		SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: false,
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().StringVar(&a.configDir, "config", "", "configuration directory (default: $COMPACTOR_CONFIG, ./.compactor, the user's)")
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Use it:"},
		&cobra.Group{ID: "config", Title: "Configure it:"},
		&cobra.Group{ID: "look", Title: "Look into it:"},
	)
	root.AddCommand(
		a.research(), a.call(), a.serve(), a.servers(), a.tools(), a.install(), a.redact(),
		a.initConfig(), a.importServers(), a.config(), a.validate(), a.explain(), a.test(), a.eval(),
		a.doctor(), a.bench(), a.code(), a.version(), a.guard(), a.evaluate(),
	)
	return root
}
