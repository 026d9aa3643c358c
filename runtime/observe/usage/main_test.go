package usage_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// writerOf names the file that a copy of the test program writes to until it is killed.
const writerOf = "USAGE_TEST_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(writerOf); file != "" {
		keepOn(file)
	}
	goleak.VerifyTestMain(m)
}

// batched are the calls that keepOn makes between two flushes.
const batched = 5

// keepOn calls tools for ever, and prints how many it has called, and after each flush how
// many are kept.
func keepOn(file string) {
	t := usage.New(usage.Options{Open: opener(file), Settings: func() usage.Settings { return usage.Settings{} }, Say: func(s string) { fmt.Fprintln(os.Stderr, s) }})
	for n := 1; ; n++ {
		t.Called(usage.Told{ID: "s"}, usage.Call{Server: "s", Tool: fmt.Sprint("t", n%7), At: time.Now(), OK: true}, nil)
		fmt.Println("called", n)
		if n%batched == 0 && t.Flush(context.Background()) == nil {
			fmt.Println("kept", n)
		}
	}
}

func opener(file string) func(context.Context) (usage.Log, error) {
	return func(ctx context.Context) (usage.Log, error) {
		s, err := store.Open(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Usage(), nil
	}
}
