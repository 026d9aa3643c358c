package bounded

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/diag"
)

// Causes for which a child ends without a result.
const (
	causeCPU    = "cpu"
	causeWall   = "wall"
	causeMemory = "memory"
	causeStack  = "stack"
	causeLarge  = "large"
	causeDeep   = "deep"
	causeCrash  = "crash"
)

// ending is how a child ended, and what it was about then. Without a cause it
// has given a result.
type ending struct {
	cause string
	said  string // its last words, of a crash
	step  config.Step
}

// way is the way out of most breaches.
const way = "texts, lists or structs that are doubled again and again, comprehensions within one another, and calls such as list.Range or " +
	"strings.Repeat with large numbers are the usual cause; take the last edit back"

// diagnostic says what went beyond which limit, and where as far as that is known.
func (e ending) diagnostic(opt config.Options, limits Limits) diag.Diagnostic {
	doing := e.step.Doing
	if doing == "" {
		doing = "reading"
	}
	d := diag.Diagnostic{Code: "C011", Severity: diag.Error, Range: diag.Range{File: e.step.Name}, Help: way}
	if e.step.Name == "" || e.step.Name == "." {
		d.Range.File = opt.Shown()
	}
	switch e.cause {
	case causeCPU:
		d.Message = fmt.Sprintf("%s it took more than %v of CPU time", doing, limits.CPU)
	case causeWall:
		d.Message = fmt.Sprintf("%s it took longer than %v", doing, limits.Wall)
		d.Help = "the disk does not answer, or the machine is very busy; try again"
	case causeMemory:
		d.Message = fmt.Sprintf("%s it took more than %d MiB of memory", doing, limits.Memory>>20)
	case causeStack:
		d.Message = doing + " it did not end: it is nested too deeply"
		d.Help = "take brackets, or definitions that refer to one another, apart"
	case causeLarge:
		d.Message = fmt.Sprintf("it comes to more than a configuration may hold: %v, or %d MiB", config.ErrTooLarge, maxResult>>20)
	case causeDeep:
		d.Message = "it " + config.ErrTooDeep.Error()
		d.Help = "no configuration is nested as deep; take the last edit back"
	default:
		d.Message = doing + " it ended the process that did so"
		if e.said != "" {
			d.Message += ": " + e.said
		}
	}
	return d
}

// causeOf reads a crash off the last words of a Go program. It returns the line
// that tells most.
func causeOf(stderr string) (cause, line string) {
	if strings.Contains(stderr, "SIGSEGV") && strings.Contains(stderr, "goroutine 0 ") {
		return causeMemory, "" // the collector itself, on memory that was refused to it
	}
	for l := range strings.Lines(stderr) {
		l = strings.TrimSpace(l)
		switch {
		case strings.Contains(l, "out of memory"), strings.Contains(l, "cannot allocate memory"), strings.Contains(l, "cannot map pages"),
			strings.Contains(l, "cannot reserve"), strings.Contains(l, "address space"):
			return causeMemory, l
		case strings.Contains(l, "stack overflow"), strings.Contains(l, "stack exceeds"):
			return causeStack, l
		case line == "" && (strings.HasPrefix(l, "panic:") || strings.HasPrefix(l, "fatal error:")):
			line = l
		}
	}
	return causeCrash, line
}
