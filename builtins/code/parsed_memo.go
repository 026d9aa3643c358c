package code

import (
	"hash/maphash"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// parsed is what a stage found in a content, for those after it.
type parsed struct {
	defs  []symbols.Def
	spans []span
}

// parsedKey names a content in the memo. A file that was changed meanwhile has another.
type parsedKey struct {
	lang symbols.Lang
	size int
	hash uint64
}

var parsedSeed = maphash.MakeSeed()

func parsedKeyOf(path string, data []byte) parsedKey {
	return parsedKey{symbols.Detect(path, data), len(data), maphash.Bytes(parsedSeed, data)}
}

// parsedBefore is what a stage before has found in a content.
func parsedBefore(memo *catalog.Memo, path string, data []byte) (parsed, bool) {
	if memo == nil || len(data) > keptSource {
		return parsed{}, false
	}
	known, ok := memo.Get(parsedKeyOf(path, data)).(parsed)
	return known, ok
}
