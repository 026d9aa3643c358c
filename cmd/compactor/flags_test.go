package main

import (
	"os"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A flag takes what the tool that it goes to takes, no more and no less.
func TestFlagsHaveTheRangesOfTheirTools(t *testing.T) {
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list)
	}
	for _, c := range []struct {
		command []string
		flag    string
		tool    string
		input   []string
	}{
		{[]string{"research"}, "tokens", "research_codebase", []string{"constraints", "tokens"}},
		{[]string{"research"}, "time-ms", "research_codebase", []string{"constraints", "time_ms"}},
		{[]string{"tools", "search"}, "limit", "search_tools", []string{"limit"}},
	} {
		cmd, _, err := (&app{out: os.Stdout, err: os.Stderr}).rootCommand().Find(c.command)
		if err != nil {
			t.Fatal(err)
		}
		takes, ok := cmd.Flags().Lookup(c.flag).Value.(whole)
		if !ok {
			t.Fatalf("--%s has no range", c.flag)
		}
		s := cfg.Tools[c.tool].Input
		for _, name := range c.input {
			s = s.Field(name).Schema
		}
		if s.Min == nil || s.Max == nil || float64(takes.least) != *s.Min || float64(takes.most) != *s.Max {
			t.Errorf("--%s takes %d to %d, %s takes %v", c.flag, takes.least, takes.most, c.tool, string(s.JSON()))
		}
	}
}
