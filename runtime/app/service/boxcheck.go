package service

import (
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// boxDiagnostics reports sandbox settings with which no root can be opened.
func boxDiagnostics(cfg *config.Config) diag.List {
	if cfg.Sandbox.MaxFile <= sandbox.LargestFileSize {
		return nil
	}
	path := []string{"sandbox", "max_file"}
	return diag.List{{Code: "C029", Severity: diag.Error, Range: cfg.Source.At(path...), Path: config.JoinPath(path...),
		Message: fmt.Sprintf("%d bytes are more than a file may have; write 256MiB or less", cfg.Sandbox.MaxFile)}}
}
