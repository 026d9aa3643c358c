package compactor

import "embed"

//go:embed roles.cue pipelines schemas cue.mod
var Defaults embed.FS
