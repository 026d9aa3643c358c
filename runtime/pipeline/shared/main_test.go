package shared_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// tries is how often goroutines are looked for. Each look waits a moment for those that
// are ending.
const tries = 50

// TestMain fails when tests leave goroutines behind.
func TestMain(m *testing.M) {
	code := m.Run()
	storetest.End()
	if code == 0 {
		err := goleak.Find()
		for n := 1; err != nil && n < tries; n++ {
			err = goleak.Find()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
