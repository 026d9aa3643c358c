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

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
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
	a := &app{confines: true, in: os.Stdin, out: newOutput(os.Stdout), err: newOutput(os.Stderr)}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	a.close()
	flush(a.out)
	defer flush(a.err)
	var e exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		if e.msg != "" {
			a.printError(e.msg)
		}
		return e.code
	}
	a.printError(err.Error())
	return exitBroken
}

// printError prints why a command ends.
func (a *app) printError(msg string) {
	_ = screen.Paint(a.err, screen.Bad, "compactor:")
	fmt.Fprintln(a.err, " "+sanitize.Strip(msg))
}

// app holds what all commands share.
type app struct {
	in       io.Reader
	out, err io.Writer

	confines bool // this process is the whole program and not a test

	configDir string
	profile   string
	several   bool // clients may be served with other profiles at the same time
	indexes   bool // the control API can have collections indexed
	// trustConfig treats the directory that is named as the user's own, wherever it lies.
	trustConfig bool
	roots       []string
	once        bool // this process answers one call, and ends: see holdHeap
	cache       bool // this process answers many questions
	noModel     bool
	recorder    *recorder
	services    []*service.Service // to be closed at the end
	log         *slog.Logger       // nil discards
	events      *event.Stream      // nil gives each service its own
}

// close stops the services that commands have started.
func (a *app) close() {
	for _, svc := range a.services {
		_ = svc.Close()
	}
}

func (a *app) rootCommand() *cobra.Command {
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
		Version:          versionString(),
		Args:             oneCommand,
		RunE:             func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(cmd *cobra.Command, _ []string) { a.fitOutput(cmd) },
		SilenceUsage:     true,
		SilenceErrors:    true,
	}
	root.SetVersionTemplate(versionText())
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(a.help())
	root.SetHelpFunc(a.showHelp)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().StringVar(&a.configDir, "config", "", "configuration directory over your own (default: $COMPACTOR_CONFIG, ./.compactor)")
	root.PersistentFlags().BoolVar(&a.trustConfig, "trust-config", false, "take a project's configuration for your own, without compactor allow: for CI, where it was reviewed")
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Use it:"},
		&cobra.Group{ID: "config", Title: "Configure it:"},
		&cobra.Group{ID: "look", Title: "Look into it:"},
	)
	root.AddCommand(
		a.research(), a.ask(), a.index(), a.docs(), a.call(), a.serve(), a.servers(), newSupervise(a), a.tools(), a.install(), a.redact(), a.summarize(),
		a.initConfig(), a.allow(), a.importServers(), a.config(), a.validate(), a.explain(), a.builtins(), a.test(), a.eval(),
		a.doctor(), a.dashboard(), newAudit(a), a.sessions(), a.predictions(), a.data(), a.replaySessions(), a.bench(), a.code(), a.version(), a.guard(), a.evaluate(), a.readDocument(), a.tryHistory(),
	)
	strictCompletion(root)
	return root
}
