package main

import (
	"bytes"
	"fmt"
	"go/build"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The benchmarks here run the real command in processes of its own and report
// CPU time, of user and system, which a busy machine spoils less than the
// clock. cpu/rg is the median of pairs with one search by ripgrep on two
// threads in between.

// BenchmarkResearch answers questions about Go's own source and about a tree
// of 5,000 small files.
func BenchmarkResearch(b *testing.B) {
	binary := buildCommand(b)
	for _, c := range []struct{ name, dir, question string }{
		{"go", filepath.Join(build.Default.GOROOT, "src"), "how does the http server parse request headers"},
		{"small_files", writeTree(b, 5000), "how does the parser read the header"},
	} {
		b.Run(c.name, func(b *testing.B) {
			compare(b, []string{binary, "research", "--deterministic", "--root", c.dir, c.question},
				[]string{"rg", "-j2", "-n", "--no-messages", "ErrUnexpectedEOF", c.dir})
		})
	}
}

// BenchmarkGrepMemory searches 20,000 files by a tool that a configuration
// declares, for the most memory that takes.
func BenchmarkGrepMemory(b *testing.B) {
	binary, dir, config := buildCommand(b), writeTree(b, 20_000), b.TempDir()
	text := `package compactor
pipelines: grep: {
	doc: "search by pattern"
	stages: grep: {builtin: "code.grep", with: pattern: "input.pattern"}
	output: "grep"
}
tools: grep: {
	description: "Search all files for a pattern."
	pipeline:    "grep"
	#input: pattern: string
}
`
	if err := os.WriteFile(filepath.Join(config, "compactor.cue"), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	compare(b, []string{binary, "call", "grep", "pattern=headerCache", "--config", config, "--root", dir},
		[]string{"rg", "-j2", "-n", "headerCache", dir})
}

// BenchmarkStart is the CPU of a process that does nothing, and of one that
// loads a configuration and answers about 30 files.
func BenchmarkStart(b *testing.B) {
	binary, dir := buildCommand(b), writeTree(b, 30)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"plain", []string{binary, "version"}},
		{"configured", []string{binary, "research", "--root", dir, "where is the parser"}},
	} {
		b.Run(c.name, func(b *testing.B) { compare(b, c.args, nil) })
	}
}

// compare runs ours and theirs in turns.
func compare(b *testing.B, ours, theirs []string) {
	b.Helper()
	if theirs != nil {
		if _, err := exec.LookPath(theirs[0]); err != nil {
			b.Skipf("%s is not installed: there is nothing to compare with", theirs[0])
		}
	}
	var used []time.Duration
	var ratios []float64
	peak := int64(0)
	for b.Loop() {
		cpu, memory := process(b, ours)
		used, peak = append(used, cpu), max(peak, memory)
		if theirs != nil {
			other, _ := process(b, theirs)
			ratios = append(ratios, float64(cpu)/float64(max(other, time.Microsecond)))
		}
	}
	slices.Sort(used)
	b.ReportMetric(float64(used[len(used)/2])/1e6, "cpu-ms")
	if len(ratios) > 0 {
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "cpu/rg")
	}
	if peak > 0 {
		b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
	}
}

func process(b *testing.B, args []string) (cpu time.Duration, peak int64) {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = b.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_CONFIG_HOME="+cmd.Dir, "COMPACTOR_CONFIG=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	watched := watchMemory(cmd.Process.Pid)
	err := cmd.Wait()
	if peak = watched(); err != nil && !(args[0] == "rg" && cmd.ProcessState.ExitCode() == 1) { // 1: nothing found
		b.Fatalf("%q: %v\n%.500s", args, err, out.String())
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak
}

func buildCommand(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "compactor.exe")
	cmd := exec.Command("go", "build", "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("the command could not be built: %v\n%.500s", err, out)
	}
	return binary
}

// writeTree makes the same files in each run: functions whose words are as rare
// as those of real code, 1 to 15 KB each, some thirty to a directory.
func writeTree(b *testing.B, files int) string {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(files)))
	words := strings.Fields(`header cache parser read write buffer node list index value error request response server client
		token stream block config option handler queue worker path file name type state count length offset result`)
	for len(words) < 4000 {
		w := ""
		for range 2 + rng.IntN(3) {
			w += string("bdfgklmnprstvz"[rng.IntN(14)]) + string("aeiou"[rng.IntN(5)])
		}
		words = append(words, w)
	}
	word := func() string { return words[int(float64(len(words))*math.Pow(rng.Float64(), 3))] }
	name := func() string {
		w := word()
		return word() + strings.ToUpper(w[:1]) + w[1:]
	}
	dir := b.TempDir()
	for i := range files {
		sub := filepath.Join(dir, fmt.Sprintf("%s%d", words[i/900], i/900), fmt.Sprintf("%s%d", words[i/30], i/30))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		var text strings.Builder
		text.WriteString("package x\n")
		for range 4 + rng.IntN(60) {
			fmt.Fprintf(&text, "\n// %s keeps the %s of a %s.\nfunc %s(%s int) error {\n\tif %s := %s(%d); %s != nil {\n\t\treturn %s\n\t}\n\treturn nil\n}\n",
				name(), word(), word(), name(), word(), word(), name(), rng.IntN(100), word(), name())
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("%s_%d.go", name(), i)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
