package relation

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// TestShadowed marks with @ the places where a name is that of a variable, and with ! those where it is not.
func TestShadowed(t *testing.T) {
	for name, c := range map[string]struct{ path, text string }{
		"Go": {"a.go", `package a

func run(a int, sh string, fn func(x int) (conf, error)) {
	use(@sh)
	use(!conf)
	if conf := 1; ok {
		use(@conf)
	}
	use(!conf)
	go func(w io.Writer, ext string) {
		use(@ext)
	}(x, 1)
	use(!ext)
	for _, item := range items {
		use(@item)
	}
	x, err, late := f()
	use(@late)
	use(!item)
	var (
		name string
	)
	y := wait(
		!y,
	)
}

func several(
	a int,
	long map[string]int,
) error {
	use(@long)
}
`},
		"TypeScript": {"a.ts", `import x from 'y'
const top = 1
use(!top)
function run(a, { deep, b: other }: T, ...rest: U[]) {
  use(@deep, @rest)
  use(!b)
  list.forEach((handler: H, i) => {
    use(@handler, @i)
  })
  use(!handler)
  const match = (accepts: A) => {
    return 1
  }
  use(!accepts)
  if (cond(flag)) {
    use(!flag)
  }
  for (const item of items) {
    use(@item)
  }
  use(!item)
  const { createHash, x: y = 1 } = await import('crypto')
  use(@createHash)
  items.map(item => {
    use(@item)
  })
  try {
  } catch (error) {
    use(@error)
  }
}
class A {
  handler = 1
  run(path: string, cb?: () => void) {
    use(!handler)
  }
  async call(path: string, next: N): Promise<void> {
    use(@path, @next)
  }
  constructor(
    private readonly store: Store,
    size = 1,
  ) {
    use(@store, @size)
  }
}
`},
		"Python": {"a.py", `
def run(a, size: int = limit, *names, **more):
    use(@size, @names, @more)
    use(!limit)
    if a:
        deep = 1
    use(!deep)
    table, rows = load()
    use(@table, @rows)
    with open(a) as handle:
        use(@handle)
    for item in items:
        use(@item)
    log(callback=1)
    use(!callback)


class A:
    attr = 1

    def f(self):
        use(!attr)

    def g(
        self,
        path: str,
        mode="r",
    ) -> int:
        use(@path, @mode)
`},
		"Rust": {"a.rs", `fn run() {
    let mut parse = 1;
    use(@parse);
    use(!other);
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.text
			code := strings.NewReplacer("@", "", "!", "").Replace(text)
			lang := symbols.Detect(c.path, []byte(code))
			var r Reader
			r.Open(Source{Path: c.path, Lang: lang, Data: []byte(code)})
			marks := 0
			for i := 0; i < len(text); i++ {
				if text[i] != '@' && text[i] != '!' {
					continue
				}
				at := i - marks
				marks++
				word := string(leadingWord([]byte(text[i+1:])))
				if got := isShadowed(&r, word, at); got != (text[i] == '@') {
					t.Errorf("%s on line %d: %v", word, strings.Count(text[:i], "\n")+1, got)
				}
			}
			if marks < 2 {
				t.Error("no marks")
			}
		})
	}
}
