package relation

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/common.txt
var commonNames string

var common = sync.OnceValue(func() map[string]bool { return words.Set(commonNames) })

// isDistinctive reports whether a name is unlikely to exist in a library: it has two words or more, and is not a common one.
func isDistinctive(name string) bool {
	if common()[strings.ToLower(strings.ReplaceAll(name, "_", ""))] {
		return false
	}
	n, trimmed := 0, strings.Trim(name, "_$?!")
	for i := 0; i < len(trimmed); {
		if words.ClassOf(trimmed[i])&words.Any == 0 || trimmed[i] == '_' {
			i++
			continue
		}
		i = words.Next(trimmed, i)
		n++
	}
	return n > 1
}
