package settings

import (
	_ "embed"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed words.txt
var askingList string

// AskingWords are the words of a question that ask for an option, whichever it is.
var AskingWords = sync.OnceValue(func() map[string]bool { return words.Set(askingList) })
