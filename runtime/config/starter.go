package config

import _ "embed"

// Starter is what `compactor init` writes: files by name. Every setting is
// commented out, so that the directory changes nothing until somebody wants
// it to.
func Starter() map[string][]byte {
	return map[string][]byte{"compactor.cue": starter}
}

//go:embed starter.cue
var starter []byte
