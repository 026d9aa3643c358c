package doctor

import (
	"os"
	"path/filepath"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// checkEditors reports configuration directories whose CUE definitions are of another
// version. Only editors use these.
func checkEditors(opt service.Options) []Check {
	var out []Check
	for _, layer := range opt.Layers {
		stale := false
		if root, err := os.OpenRoot(layer.Dir); err == nil {
			names, err := config.Stale(opt.Defaults, func(name string) ([]byte, error) { return root.ReadFile(filepath.FromSlash(name)) })
			stale = err == nil && len(names) > 0
			_ = root.Close()
		}
		if stale {
			out = append(out, Check{"editor", Warn, "the definitions in " + layer.Display + " are those of another version: editors complete what was", "rewrite them with: compactor init --schemas " + layer.Display})
		}
	}
	return out
}
