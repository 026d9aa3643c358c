// Command dist packs a release: for each system an archive with the program, its licence,
// readme, completions and manual, and a bill of materials next to it; the checksums of all;
// and a Homebrew formula and a Scoop manifest that name them.
//
// The same commit gives the same bytes with the same Go, in any directory and at any time:
// paths, times, owners and the state of the repository are left out.
package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// release describes what is packed.
type release struct {
	Version, Commit string
	BaseURL         string // below which the archives will be published
	Time            time.Time
	out, work       string
}

func run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("dist", flag.ContinueOnError)
	r := release{}
	f.StringVar(&r.Version, "version", "", "version, such as v1.2.3")
	f.StringVar(&r.BaseURL, "base-url", "", "address below which the archives will lie")
	f.StringVar(&r.out, "out", "dist", "directory to be written; what is in it is removed")
	targets := f.String("targets", "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64", "systems")
	if err := f.Parse(args); err != nil {
		return err
	}
	if r.Version == "" || r.BaseURL == "" {
		return fmt.Errorf("-version and -base-url are needed")
	}
	if err := r.readOrigin(ctx); err != nil {
		return err
	}
	var err error
	if r.work, err = os.MkdirTemp("", "compactor-dist-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	return r.packTargets(ctx, strings.Fields(*targets))
}

// readOrigin takes commit and time from git. SOURCE_DATE_EPOCH overrides the time, and gives it
// if there is no repository.
func (r *release) readOrigin(ctx context.Context) error {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	text, err := runCommand(ctx, nil, "git", "log", "-1", "--format=%H %ct")
	if commit, seconds, ok := strings.Cut(strings.TrimSpace(text), " "); err == nil && ok {
		r.Commit = commit
		if epoch == "" {
			epoch = seconds
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("the time of the commit is not known: run it in a clone, or set SOURCE_DATE_EPOCH to seconds")
	}
	r.Time = time.Unix(seconds, 0).UTC()
	return nil
}

func (r *release) packTargets(ctx context.Context, targets []string) error {
	shared, err := r.sharedEntries(ctx)
	if err != nil {
		return err
	}
	var files []string
	for _, t := range targets {
		goos, arch, ok := strings.Cut(t, "/")
		if !ok {
			return fmt.Errorf("target %q is not of the form linux/amd64", t)
		}
		made, err := r.packTarget(ctx, goos, arch, shared)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		files = append(files, made...)
	}
	sums, err := sumFiles(r.out, files)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.formatSums()), 0o644); err != nil {
		return err
	}
	fmt.Print(sums.formatSums())
	left, err := r.writeManifests(sums)
	for _, name := range left {
		fmt.Printf("%s is not written: it needs systems that are not among the targets\n", name)
	}
	return err
}

// packTarget builds the program of one system, packs it, and returns the names of the files that it wrote.
func (r *release) packTarget(ctx context.Context, goos, arch string, shared []entry) (files []string, err error) {
	name, program := r.archiveName(goos, arch), "compactor"
	if goos == "windows" {
		program += ".exe"
	}
	built := filepath.Join(r.work, name)
	if err := r.buildProgram(ctx, goos, arch, built); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(built)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	bill, err := r.makeBill(info, data)
	if err != nil {
		return nil, err
	}
	entries := append([]entry{{program, data, 0o755}}, shared...)
	archive, write := name+".tar.gz", tarGz
	if goos == "windows" {
		archive, write = name+".zip", zipArchive
	}
	packed, err := write(name, entries, r.Time)
	if err != nil {
		return nil, err
	}
	files = []string{archive, name + ".cdx.json"}
	for i, content := range [][]byte{packed, bill} {
		if err := os.WriteFile(filepath.Join(r.out, files[i]), content, 0o644); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (r *release) archiveName(goos, arch string) string {
	return fmt.Sprintf("compactor-%s-%s-%s", r.Version, goos, arch)
}

// buildProgram builds the program without what differs between two clones of one commit: -buildvcs
// would embed which tags were fetched.
func (r *release) buildProgram(ctx context.Context, goos, arch, to string) error {
	env := []string{"GOOS=" + goos, "GOARCH=" + arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"}
	_, err := runCommand(ctx, env, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", fmt.Sprintf("-s -w -buildid= -X main.version=%s -X main.commit=%s", r.Version, r.Commit), "-o", to, "./cmd/compactor")
	return err
}

func runCommand(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errors.String())
	}
	return string(out), nil
}
