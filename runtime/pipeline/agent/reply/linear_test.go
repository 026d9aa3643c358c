package reply

import (
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func TestLinear(t *testing.T) {
	const size = 4 << 10
	texts := map[int][]string{size: inputs(size)}
	for i, text := range texts[size] {
		for name, read := range map[string]func(string){
			"JSON":  func(s string) { _, _, _ = JSON(s, choose) },
			"Calls": func(s string) { Calls(s, tools) },
		} {
			t.Run(fmt.Sprintf("%s of %.40q", name, text), func(t *testing.T) {
				clocktest.Linear(t, size, func(n int) func() {
					if texts[n] == nil {
						texts[n] = inputs(n)
					}
					return func() { read(texts[n][i]) }
				})
			})
		}
	}
}
