package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Of a schema that is too large to be judged whole, what is required and the arguments that come first still are.
func TestLargeSchemas(t *testing.T) {
	var values, props []string
	for i := range 300 {
		values = append(values, fmt.Sprintf("%q", fmt.Sprint("v", i)))
	}
	for i := range 50 {
		props = append(props, fmt.Sprintf(`"p%02d":{"enum":[%s]}`, i, strings.Join(values, ",")))
	}
	s, err := Compile(json.RawMessage(`{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":["p49"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]bool{`{}`: false, `{"p49":"v1"}`: true, `{"p49":"v1","p00":"w"}`: false, `{"p49":"not judged"}`: true} {
		if faults := s.Check(json.RawMessage(args)); len(faults) == 0 != want {
			t.Errorf("%s: %v", args, faults)
		}
	}
}
