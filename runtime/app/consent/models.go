package consent

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// isHarmless reports whether a model needs no consent: it has provider none, or is a
// recording that really lies below the configuration directory, or a server on this
// machine without a key.
func isHarmless(m config.Model, dir string) bool {
	switch {
	case m.Provider == "none":
		return true
	case m.Provider == "replay":
		file := filepath.FromSlash(m.URL)
		return filepath.IsLocal(file) && !strings.Contains(m.URL, `\`) && Within(Real(filepath.Join(dir, file)), Real(dir))
	}
	// Ollama forwards models with such names to its vendor's servers, through whichever
	// API it is called.
	if strings.HasSuffix(strings.ToLower(m.Model), "cloud") {
		return false
	}
	return m.Key == "" && m.OnThisMachine()
}

// harmlessChain reports whether a model and all its fallbacks, direct or indirect, are
// harmless.
func harmlessChain(models map[string]config.Model, name, dir string) bool {
	chain := []string{name}
	for i := 0; i < len(chain); i++ {
		m := models[chain[i]]
		if !isHarmless(m, dir) {
			return false
		}
		for _, f := range m.Fallback {
			if !slices.Contains(chain, f) {
				chain = append(chain, f)
			}
		}
	}
	return true
}
