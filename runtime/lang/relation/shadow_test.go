package relation

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// TestShadowed marks with @ the places where a name is that of a variable, and with ! those where it is not.
func TestShadowed(t *testing.T) {
	for name, c := range map[string]struct{ path, text string }{
		"Go": {"a.go", `package a

func run(a int, sh string, fn func(x int) (conf, error)) {
	use(!conf)
	if conf := 1; ok {
		use(@conf)
	}
	use(!conf)
	for _, item := range items {
		use(@item)
	}
	x, err, late := f()
	use(@late)
	use(!item)
	y := wait(
		!y,
	)
	for _, policy := range []Policy{
		!policy("a"),
	} {
		use(!policy2)
	}
	if sum := add(
		!sum(a),
	); sum > 3 {
		use(!add)
	}
	if sh, err := !sh(x); err != nil {
		use(@sh)
	} else if f(!x2) {
		use(!x2)
	}
}
`},
		"TypeScript": {"a.ts", `import x from 'y'
const top = 1
use(!top)
function run(a, { deep, b: other }: T, ...rest: U[]) {
  use(!b)
  list.forEach((@handler, i) => {
    use(@handler, @i)
  })
  use(!handler)
  const match = (accepts: A) => {
    return !accepts
  }
  use(!accepts)
  for (const item of items) {
    use(!item)
  }
  const { helper } = require('./helper')
  !helper()
  const mock = require('./mock')
  !mock()
  const size: number = 1
  use(@size)
  items.map(@entry => {
    use(@entry)
  })
  const clone = (u: User): !User => {
    return new !User(u.name)
  }
  render(!App, {
    a: !App,
  })
  retry(!fetchUser, () => {
    !fetchUser()
  })
  try {
    await send({
      notify: true,
    })
    const parse = 1
  } catch (err) {
    !notify(err)
    !parse(err)
  }
  go(log = !log, (log = !log) => {
    !log()
  })
  for (const [n, fn] of [['a', !runA]]) {
    !runA()
  }
  off ? wrap(!save) : () => go()
  wrap(items.map(@item => item.id), {
    first: !item(1),
  })
  app.get('/', async (@user) => {
    save(@user)
  })
  const tabs = 1
	use(!tabs)
}
`},
		"Python": {"a.py", `
def run(db: Session = Depends(!get_db)):
    !get_db()
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
