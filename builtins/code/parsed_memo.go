package code

import (
	"hash/maphash"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// parsed holds what a stage found in a content, for later stages.
type parsed struct {
	defs  []symbols.Def
	spans []span
}

// parsedKey identifies a content in the memo. If the file changes, its key changes.
type parsedKey struct {
	lang symbols.Lang
	size int
	hash uint64
}

var parsedSeed = maphash.MakeSeed()

func parsedKeyOf(path string, data []byte) parsedKey {
	return parsedKey{symbols.Detect(path, data), len(data), maphash.Bytes(parsedSeed, data)}
}

// parsedBefore returns what an earlier stage found in a content.
func parsedBefore(memo *catalog.Memo, path string, data []byte) (parsed, bool) {
	if memo == nil || len(data) > keptSource {
		return parsed{}, false
	}
	known, ok := memo.Get(parsedKeyOf(path, data)).(parsed)
	return known, ok
}
