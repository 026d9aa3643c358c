package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by `make dist`; a plain build takes it from the module.
var version = ""

func versionString() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: "look",
		Short:   "Print version, commit and build",
		Args:    needs(0, 0, ""),
		Run:     func(*cobra.Command, []string) { fmt.Fprint(a.out, versionText()) },
	}
}

// versionText says what this program was built from.
func versionText() string {
	commit, dirty := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = " (modified)"
			}
		}
	}
	return fmt.Sprintf("compactor %s\ncommit %s%s\n%s %s/%s\n", versionString(), commit, dirty, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
