package bounded

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/safety/confined"
)

// Causes of a failed evaluation, in addition to those of every child.
const (
	causeLarge = "large"
	causeDeep  = "deep"
)

// way is the help for most breaches.
const way = "texts, lists or structs that are doubled again and again, comprehensions within one another, and calls such as list.Range or " +
	"strings.Repeat with large numbers are the usual cause; take the last edit back"

// breachDiagnostic describes which limit was exceeded, and where as far as that is known.
func breachDiagnostic(e confined.Ending, opt config.Options, limits Limits) diag.Diagnostic {
	doing, name, _ := strings.Cut(e.Step, "\x00")
	if doing == "" {
		doing = "reading"
	}
	d := diag.Diagnostic{Code: "C011", Severity: diag.Error, Range: diag.Range{File: name}, Help: way}
	if name == "" || name == "." {
		d.Range.File = opt.Shown()
	}
	switch e.Cause {
	case confined.CauseCPU:
		d.Message = fmt.Sprintf("%s it took more than %v of CPU time", doing, limits.CPU)
	case confined.CauseWall:
		d.Message = fmt.Sprintf("%s it took longer than %v", doing, limits.Wall)
		d.Help = "the disk does not answer, or the machine is very busy; try again"
	case confined.CauseMemory:
		d.Message = fmt.Sprintf("%s it took more than %d MiB of memory", doing, limits.Memory>>20)
	case confined.CauseStack:
		d.Message = doing + " it did not end: it is nested too deeply"
		d.Help = "take brackets, or definitions that refer to one another, apart"
	case causeLarge:
		d.Message = fmt.Sprintf("it comes to more than a configuration may hold: %v, or %d MiB", config.ErrTooLarge, confined.MaxResult>>20)
	case causeDeep:
		d.Message = "it " + config.ErrTooDeep.Error()
		d.Help = "no configuration is nested as deep; take the last edit back"
	default:
		d.Message = doing + " it ended the process that did so"
		if e.Said != "" {
			d.Message += ": " + e.Said
		}
	}
	return d
}
