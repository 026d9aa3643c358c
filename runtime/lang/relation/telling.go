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

// telling says that a name is hardly one of a library's: it has two words or more, and
// is none of the common ones.
func telling(name string) bool {
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
