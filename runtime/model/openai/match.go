package openai

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Suffixes that servers add to the name of a model: the format of its weights, which
// part of a split file, and which instance.
var (
	instance = lazyregexp.New(`(@[a-z0-9_.-]+|:latest|:\d+)$`)
	ending   = lazyregexp.New(`[-_.](i?q\d+(_[a-z0-9]+)*|[fb]f?p?(16|32|8)|mxfp\d+|nvfp\d+|fp\d+|int\d+|\d+-?bits?|w\d+a\d+|gguf|mlx|awq|gptq|dwq|ud|\d{5}-of-\d{5})$`)
	dated    = lazyregexp.New(`^-\d{4}-?\d{2}-?\d{2}$`)
)

// sameModel reports whether two names mean one model. It ignores the path, the
// publisher, the file extension, the quantization, and a date that a server adds to the
// requested name.
func sameModel(asked, answered string) bool {
	a, b := bareName(asked), bareName(answered)
	return a == b || strings.HasPrefix(b, a) && dated.MatchString(b[len(a):])
}

func bareName(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	for {
		short := ending.ReplaceAllString(instance.ReplaceAllString(name, ""), "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}
