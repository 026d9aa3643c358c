package bounded_test

import (
	"os"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
)

// The test binary is also the child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case bounded.Command:
			os.Exit(bounded.Evaluate(os.Stdin, os.Stdout, compactor.Defaults))
		case "broken":
			os.Exit(broken(os.Args[2], os.Args[3:]...))
		case "parent":
			os.Exit(parent(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}
