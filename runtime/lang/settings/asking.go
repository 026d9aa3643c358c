package settings

import (
	_ "embed"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed words.txt
var askingList string

// AskingWords returns the words with which a query asks for an option without naming it.
var AskingWords = sync.OnceValue(func() map[string]bool { return words.Set(askingList) })
