package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

var update = flag.Bool("update", false, "rewrite the golden sections of scripts")

func TestMain(m *testing.M) {
	// The test binary also evaluates configurations, reads documents and guards programs. Those and the helpers below leave by
	// syscall.Exit: os.Exit waits for a second under the race detector.
	if len(os.Args) > 1 && slices.Contains([]string{bounded.Command, extractor.Command, "guard"}, os.Args[1]) {
		syscall.Exit(Main(os.Args[1:]))
	}
	_ = flag.Set("test.parallel", "6") // unless the command line says otherwise: tests here mostly wait for other processes
	programs := map[string]func(){"modelserver": modelserver, "echoserver": echoserver, "wiretap": wiretap, "manytools": manytools, "toolserver": toolserver,
		"sampleserver": sampleserver, "leakserver": leakserver, "canaryserver": canaryserver, "loginclient": loginclient}
	for name, run := range programs {
		programs[name] = func() { run(); syscall.Exit(0) }
	}
	programs["compactor"] = func() { os.Exit(Main(os.Args[1:])) }
	testscript.Main(m, programs)
}

// raceOptions returns the race detector's options, for environments that tests make themselves.
func raceOptions() string { return "GORACE=" + os.Getenv("GORACE") }

// skipShort leaves out a test that takes long and whose goroutines other tests run too:
// the race step, which is short, learns nothing from it.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long: run without -short")
	}
}

// TestScripts runs the real command in real processes; see testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:         scripts(t),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, raceOptions())
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "home", "config"))
			env.Setenv("COMPACTOR_CONFIG", "")
			if recorded, err := filepath.Abs("../../testdata/config"); err == nil {
				env.Setenv("RECORDED", recorded) // a configuration whose test has a recording
			}
			if documents, err := filepath.Abs("testdata/documents"); err == nil {
				env.Setenv("DOCUMENTS", documents) // of real programs
			}
			if recorded, err := filepath.Abs("testdata/own_roles"); err == nil {
				env.Setenv("OWN_ROLES", recorded) // what a model said to the roles of that script
			}
			env.Setenv("MANUAL", cobraManual())
			env.Values[sessionKey{}] = &session{}
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"mcp":     mcpCommand,
			"tty":     ttyCommand,
			"columns": columnsCommand,
			"exit":    exitCommand,
			"within":  withinCommand,
			"big":     bigCommand,
			"scrub":   scrubCommand,
			"same":    sameCommand,
			"history": historyCommand,
			"fills":   fillsCommand,
			"fill":    fillCommand,
		},
	})
}

// cobraManual is where the manual of a library lies that this program is built with: a
// real one, on every machine that builds it.
var cobraManual = sync.OnceValue(func() string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/spf13/cobra").Output()
	if err != nil {
		return ""
	}
	return filepath.Join(strings.TrimSpace(string(out)), "site", "content")
})

// scripts are the files of testdata/script. Where data races are looked for those are left out that never serve: a command
// that does one thing has none, and each start takes a second more there.
func scripts(t *testing.T) []string {
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	if !raced {
		return all
	}
	serves := regexp.MustCompile(`(?m)^(! )?(mcp |.*compactor serve.*&)`)
	return slices.DeleteFunc(all, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return !serves.Match(text)
	})
}

// session is a real MCP client connected to a real `compactor serve`.
type session struct {
	client *client.Client
	end    func() error
	events chan string
	value  any // the structured content of the last call
}

type sessionKey struct{}

// mcpCommand drives a server over stdio: mcp start [args], mcp model TABLE
// [args] (the same by a client that offers its model), mcp list [TOOL] (with TOOL it
// starts new servers until one lists it: a server does not wait long for the log of
// earlier sessions, and lists without it then), mcp call TOOL JSON,
// mcp level LEVEL, mcp changed (waits for tools/list_changed), mcp stop. What is
// logged to the client goes to mcp.log.
func mcpCommand(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(sessionKey{}).(*session)
	if len(args) == 0 {
		ts.Fatalf("usage: mcp start|model|list|call|changed|stop")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var out string
	var err error
	switch args[0] {
	case "start":
		err = s.start(ts, args[1:])
	case "model":
		err = s.start(ts, args[2:], offering(ts, args[1])...)
	case "list":
		out, err = s.list(ctx)
		for len(args) > 1 && err == nil && !slices.Contains(strings.Fields(out), args[1]) {
			if err = errors.Join(s.end(), ctx.Err(), s.start(ts, nil)); err == nil {
				out, err = s.list(ctx)
			}
		}
	case "call":
		out, err = s.call(ctx, args[1], strings.Join(args[2:], " "))
	case "changed":
		select {
		case <-s.events:
		case <-ctx.Done():
			err = fmt.Errorf("no tools/list_changed came")
		}
	case "level":
		req := mcp.SetLevelRequest{}
		req.Params.Level = mcp.LoggingLevel(args[1])
		//lint:ignore SA1019 what today's clients do is tested as long as they do it
		err = s.client.SetLevel(ctx, req)
	case "stop":
		err = s.end()
	default:
		ts.Fatalf("mcp: unknown subcommand %s", args[0])
	}
	if err != nil && !neg {
		ts.Fatalf("mcp %s: %v", args[0], err)
	}
	if err == nil && neg {
		ts.Fatalf("mcp %s succeeded: %s", args[0], out)
	}
	if err != nil {
		out = err.Error() + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs("mcp.out"), []byte(out), 0o644))
	if args[0] == "call" {
		raw, err := json.Marshal(s.value)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs("mcp.json"), raw, 0o644))
	}
}

// sameCommand holds that two files have the same JSON: same A B.
func sameCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same A B")
	}
	var a, b any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &a))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &b))
	if d := cmp.Diff(a, b); d != "" {
		ts.Fatalf("%s and %s: %s", args[0], args[1], d)
	}
}

func (s *session) start(ts *testscript.TestScript, args []string, opts ...client.ClientOption) error {
	binary, err := exec.LookPath("compactor")
	if err != nil {
		return err
	}
	events := make(chan string, 16) // of this connection: its last notice may come when the next is made
	s.events = events
	stderr, err := os.Create(ts.MkAbs("serve.err"))
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd := exec.Command(binary, append([]string{"serve"}, args...)...)
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), stderr
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH"), "COMPACTOR_CONFIG=" + ts.Getenv("COMPACTOR_CONFIG"),
		"XDG_CONFIG_HOME=" + ts.Getenv("XDG_CONFIG_HOME"), raceOptions()}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// transport.NewStdio sends SIGTERM, then SIGKILL, to a program that has not ended two seconds after its input: on a busy
	// machine many have not.
	c := client.NewClient(transport.NewIO(out, in, nil), opts...)
	s.client, s.end = c, sync.OnceValue(func() error {
		late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		return errors.Join(c.Close(), cmd.Wait())
	})
	ts.Defer(func() { _ = s.end() })
	if err := s.client.Start(context.Background()); err != nil {
		return err
	}
	log := ts.MkAbs("mcp.log")
	ts.Check(os.WriteFile(log, nil, 0o644))
	s.client.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/message" {
			if f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0); err == nil {
				fmt.Fprintln(f, n.Params.AdditionalFields["level"], n.Params.AdditionalFields["data"])
				_ = f.Close()
			}
		}
		if n.Method == "notifications/tools/list_changed" {
			select {
			case events <- n.Method:
			default:
			}
		}
	})
	init := mcp.InitializeRequest{}
	init.Params.ProtocolVersion = "2025-11-25"
	init.Params.ClientInfo = mcp.Implementation{Name: "script", Version: "1"}
	_, err = s.client.Initialize(context.Background(), init)
	return err
}

func (s *session) list(ctx context.Context) (string, error) {
	res, err := s.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range res.Tools {
		fmt.Fprintf(&b, "%s\n", t.Name)
	}
	return b.String(), nil
}

func (s *session) call(ctx context.Context, tool, input string) (string, error) {
	req := mcp.CallToolRequest{}
	req.Params.Name = tool
	args := map[string]any{}
	if input != "" {
		if err := json.Unmarshal([]byte(input), &args); err != nil {
			return "", err
		}
	}
	req.Params.Arguments = args
	res, err := s.client.CallTool(ctx, req)
	if err != nil {
		return "", err
	}
	s.value = res.StructuredContent
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(mcp.TextContent); ok {
			b.WriteString(text.Text + "\n")
		}
	}
	if res.IsError {
		return "", fmt.Errorf("%s", b.String())
	}
	return b.String(), nil
}

// exitCommand runs a command and holds its exit code: exit 1 compactor …
func exitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND [ARG…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if e, ok := err.(*exec.ExitError); ok {
		code = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// withinCommand waits until a file has a text: within FILE TEXT.
func withinCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: within FILE TEXT")
	}
	var data []byte
	clocktest.Until(scriptTB{ts: ts}, fmt.Sprintf("%s has %q", args[0], args[1]), func() bool {
		data, _ = os.ReadFile(ts.MkAbs(args[0]))
		return strings.Contains(string(data), args[1])
	}, func() any { return string(data) })
}

// scriptTB has a script fail where helpers want a test.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (s scriptTB) Helper() {}

func (s scriptTB) Fatalf(format string, args ...any) { s.ts.Fatalf(format, args...) }

// bigCommand writes a file of so many MiB of words: big FILE MIB.
func bigCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: big FILE MIB")
	}
	var mib int
	_, err := fmt.Sscan(args[1], &mib)
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	line := strings.Repeat("lorem ipsum NewPool dolor sit amet ", 30) + "\n"
	block := strings.Repeat(line, (1<<20)/len(line)+1)[:1<<20]
	for range mib {
		_, err = f.WriteString(block)
		ts.Check(err)
	}
	ts.Check(f.Close())
}

// scrubCommand writes the last standard output, or the file named, to the file
// out, with the script's own directory taken off paths, so that goldens hold
// everywhere.
func scrubCommand(ts *testscript.TestScript, neg bool, args []string) {
	from := "stdout"
	if len(args) == 1 {
		from = args[0]
	}
	if neg || len(args) > 1 {
		ts.Fatalf("usage: scrub [FILE]")
	}
	text := strings.ReplaceAll(ts.ReadFile(from), ts.Getenv("WORK"), "$WORK")
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(text), 0o644))
}

// fillCommand adds a line to a file, as a person does: fill FILE LINE.
func fillCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fill FILE LINE")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteString(args[1] + "\n")
	ts.Check(err)
	ts.Check(f.Close())
}

// columnsCommand holds that no line of a file is wider than so many columns, but
// for one that is a single word: columns N FILE.
func columnsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: columns N FILE")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for l := range strings.Lines(ts.ReadFile(args[1])) {
		l = strings.TrimRight(colour.ReplaceAllString(l, ""), "\n")
		l = l[strings.LastIndex(l, "\r")+1:] // what was shown meanwhile is gone
		if screen.Width(l) > most && len(strings.Fields(l)) > 1 {
			ts.Fatalf("%d columns: %s", screen.Width(l), l)
		}
	}
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*[mK]")
