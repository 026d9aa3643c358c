package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// choice is a flag that takes one of a few words.
type choice struct {
	to      *string
	allowed []string
}

func (c choice) String() string { return *c.to }
func (c choice) Type() string   { return "string" }

func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return errors.New("want " + oneOf(c.allowed))
	}
	*c.to = s
	return nil
}

// oneOf joins a list as people write it: text, json or md.
func oneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// profileFlag adds --profile, for commands whose result depends on the profile of a client.
func (a *app) profileFlag(f *pflag.FlagSet, does string) {
	f.StringVar(&a.profile, "profile", "", does)
}

// formatFlag adds --format, with the first of the formats as the default.
func formatFlag(cmd *cobra.Command, to *string, formats ...string) {
	*to = formats[0]
	cmd.Flags().Var(choice{to, formats}, "format", oneOf(formats))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
}

// whole is a flag that takes an integer within a range.
type whole struct {
	to          *int
	least, most int
}

func (w whole) String() string {
	if w.to == nil || *w.to < w.least {
		return "0" // left out: the help shows no default then
	}
	return strconv.Itoa(*w.to)
}

func (w whole) Type() string { return "int" }

func (w whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < w.least || n > w.most {
		return fmt.Errorf("want a whole number from %d to %d", w.least, w.most)
	}
	*w.to = n
	return nil
}

// numberFlag adds a flag that takes integers from least to most. A value outside this range
// stands for a flag that is left out.
func numberFlag(cmd *cobra.Command, to *int, name string, value, least, most int, usage string) {
	*to = value
	cmd.Flags().Var(whole{to, least, most}, name, usage)
}

// flagError adds to an error the flag that a mistyped one was probably meant to be.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	var formats []string
	if f := cmd.Flags().Lookup("format"); f != nil {
		if c, ok := f.Value.(choice); ok {
			formats = c.allowed
		}
	}
	switch near := diag.Nearest(name, names); {
	case slices.Contains(formats, name):
		return fmt.Errorf("there is no flag --%s; write --format %s", name, name)
	case near != "":
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help lists those there are", err, cmd.CommandPath())
}

// oneCommand rejects an argument that is not a subcommand and suggests the one that was meant.
func oneCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := commandNames(cmd)
	near := diag.Nearest(args[0], names)
	switch {
	case len(names) == 0:
		return fmt.Errorf("there is no command %s %s; %s has none below it", cmd.CommandPath(), args[0], cmd.CommandPath())
	case near != "":
		return fmt.Errorf("there is no command %s %s; did you mean %s? There are: %s", cmd.CommandPath(), args[0], near, strings.Join(names, ", "))
	}
	return fmt.Errorf("there is no command %s %s; there are: %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
}

// commandNames returns the names of the available subcommands.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// insteadOf suggests the flag that a directory was probably meant for.
func insteadOf(cmd *cobra.Command, arg string) string {
	info, err := os.Stat(arg)
	if err != nil || !info.IsDir() {
		return ""
	}
	for _, flag := range []string{"root", "config"} {
		if cmd.Flags().Lookup(flag) != nil {
			return "; name a directory with --" + flag
		}
	}
	return ""
}

// requireArgs requires from least to most arguments, with -1 for any number, and names a missing
// argument as the usage line does.
func requireArgs(least, most int, look string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		usage := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing: %s; %s", strings.Fields(cmd.Use)[len(args)+1], usage, look)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%q is one argument too many: %s%s", args[most], usage, insteadOf(cmd, args[most]))
		}
		return nil
	}
}
