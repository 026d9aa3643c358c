// Command gen writes the two data files of the redactor that are computed and not written by hand. It reads local
// files only and is run by a person who then reviews the difference:
//
//	d=$(go mod download -json github.com/zricethezav/gitleaks/v8@v8.30.1 | jq -r .Dir)
//	go run ./runtime/safety/redact/internal/gen rules v8.30.1 $d/config/gitleaks.toml > runtime/safety/redact/gitleaks/rules.go
//	go run ./runtime/safety/redact/internal/gen letters $(go env GOROOT)/src > runtime/safety/redact/letters_table.go
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var out bytes.Buffer
	switch {
	case len(args) == 3 && args[0] == "rules":
		data, err := os.ReadFile(args[2])
		if err != nil {
			return err
		}
		if err := writeRules(&out, args[1], data); err != nil {
			return fmt.Errorf("%s: %w", args[2], err)
		}
	case len(args) == 2 && args[0] == "letters":
		if err := writeLetters(&out, args[1]); err != nil {
			return err
		}
	default:
		return fmt.Errorf("usage: gen rules VERSION FILE.toml | gen letters DIR")
	}
	src, err := format.Source(out.Bytes())
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(src)
	return err
}
