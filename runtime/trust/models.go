package trust

import (
	"path/filepath"
	"slices"
	"strings"

	"compactor/runtime/config"
)

// harmless reports whether a model reaches nothing that needs a word: nobody, a
// recording beside the configuration, or a server of this machine without a key.
func harmless(m config.Model) bool {
	switch {
	case m.Provider == "none":
		return true
	case m.Provider == "replay":
		return filepath.IsLocal(filepath.FromSlash(m.URL)) && !strings.Contains(m.URL, `\`)
	}
	// Ollama passes models of such names on to its maker's servers.
	if m.Provider == "ollama" && strings.HasSuffix(m.Model, "cloud") {
		return false
	}
	return m.Key == "" && m.OnThisMachine()
}

// harmlessChain reports whether a model is harmless and all who are asked in its
// place are.
func harmlessChain(models map[string]config.Model, name string) bool {
	chain := []string{name}
	for i := 0; i < len(chain); i++ {
		m := models[chain[i]]
		if !harmless(m) {
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
