package bench

import (
	"context"
	"math/rand/v2"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// derived is the number of questions derived from a tree.
const derived = 12

type textFile struct {
	root *sandbox.Root
	path string
}

var (
	commentLine = lazyregexp.New(`(?m)^\s*(?://+|\*|#|--)\s+([A-Z][A-Za-z ,']{30,120})`)
	definedName = lazyregexp.New(`(?m)^\s*(?:export |public |pub |abstract |final |async )*(?:func(?: \([^)]*\))?|def|class|type|fn|interface|struct|enum|trait|function) ([A-Za-z_]\w{5,40})`)
)

// Derive alternates between questions about comments and about names found in a tree.
// The same tree and seed give the same questions.
func Derive(ctx context.Context, files []textFile, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 0))
	var out []string
	var buf []byte
	for _, i := range r.Perm(len(files)) {
		if len(out) == derived || ctx.Err() != nil {
			break
		}
		data, err := files[i].root.ReadFile(ctx, files[i].path, buf)
		if err != nil {
			continue
		}
		buf = data
		if q := questionOf(r, string(data), len(out)%2 == 0); q != "" {
			out = append(out, q)
		}
	}
	return out
}

// questionOf returns a question about a random comment (if prose) or definition in text, or "" if there is none.
func questionOf(r *rand.Rand, text string, prose bool) string {
	re, before := definedName, "where is "
	if prose {
		re, before = commentLine, "where do we handle this: "
	}
	found := re.FindAllStringSubmatch(text, 20)
	if len(found) == 0 {
		return ""
	}
	return before + strings.TrimSpace(found[r.IntN(len(found))][1]) + "?"
}
