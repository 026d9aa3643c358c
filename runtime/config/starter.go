package config

import _ "embed"

// Starter returns the files that `compactor init` writes, by name. Every setting is
// commented out, so that the directory changes nothing until it is edited.
func Starter() map[string][]byte {
	return map[string][]byte{"compactor.cue": starter}
}

//go:embed starter.cue
var starter []byte
