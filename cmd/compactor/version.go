package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// version and commit are set by `make dist`; any other build takes them from the build
// information that Go embeds.
var version, commit = "", ""

func versionString() string {
	info, _ := debug.ReadBuildInfo()
	v, _ := provenance(info)
	return v
}

// pseudo matches the end of the version that Go derives from a commit without a tag.
var pseudo = lazyregexp.New(`[.-]\d{14}-([0-9a-f]{12})(\+.*)?$`)

// provenance returns what this program was built from: a clone knows its commit, `go install
// …@version` the version that was requested.
func provenance(info *debug.BuildInfo) (v, from string) {
	v, from = version, commit
	if info == nil {
		info = &debug.BuildInfo{}
	}
	if v == "" {
		v = info.Main.Version
	}
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if from == "" && settings["vcs.revision"] != "" {
		from = settings["vcs.revision"]
		if settings["vcs.modified"] == "true" {
			from += " (modified)"
		}
	}
	if m := pseudo.FindStringSubmatch(v); from == "" && m != nil {
		from = m[1]
	}
	switch {
	case from == "" && info.Main.Sum != "":
		from = "that of module version " + info.Main.Version + ", " + info.Main.Sum
	case from == "":
		from = "unknown"
	}
	return v, from
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: "look",
		Short:   "Print version, commit and build",
		Args:    requireArgs(0, 0, ""),
		Run:     func(*cobra.Command, []string) { fmt.Fprint(a.out, versionText()) },
	}
}

// versionText returns the version, commit and build of this program.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	v, from := provenance(info)
	return fmt.Sprintf("compactor %s\ncommit %s\n%s %s/%s\n", v, from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
