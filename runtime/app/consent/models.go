package consent

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// harmless reports whether a model reaches nothing that needs a word: nobody, a
// recording that really lies beside the configuration, or a server of this machine
// without a key.
func harmless(m config.Model, dir string) bool {
	switch {
	case m.Provider == "none":
		return true
	case m.Provider == "replay":
		file := filepath.FromSlash(m.URL)
		return filepath.IsLocal(file) && !strings.Contains(m.URL, `\`) && Within(Real(filepath.Join(dir, file)), Real(dir))
	}
	// Ollama passes models of such names on to its maker's servers, whichever way it
	// is spoken to.
	if strings.HasSuffix(strings.ToLower(m.Model), "cloud") {
		return false
	}
	return m.Key == "" && m.OnThisMachine()
}

// harmlessChain reports whether a model is harmless and all who are asked in its
// place are.
func harmlessChain(models map[string]config.Model, name, dir string) bool {
	chain := []string{name}
	for i := 0; i < len(chain); i++ {
		m := models[chain[i]]
		if !harmless(m, dir) {
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
