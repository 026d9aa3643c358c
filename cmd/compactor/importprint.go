package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
	"github.com/compactor-mcp/compactor/runtime/gateway/clients"
)

func (i *importing) printReport(opt service.Options) error {
	r := &i.report
	var failed error
	if r.Problems.HasErrors() {
		failed = exit{exitInvalid, ""}
	}
	if i.format == "json" {
		if err := json.NewEncoder(i.a.out).Encode(r); err != nil {
			return err
		}
		return failed
	}
	if err := i.printTable(); err != nil {
		return err
	}
	if len(i.servers) == 0 && len(r.Servers) > 0 {
		fmt.Fprintf(i.a.out, "\nNothing is new; %s stays as it is.\n", r.Config)
		return nil
	}
	if len(i.servers) == 0 {
		return exit{exitInvalid, "no server was taken over; nothing was written"}
	}
	if !r.Written {
		return nil
	}
	fmt.Fprintf(i.a.out, "\nwritten  %s\n", r.Config)
	if len(r.Variables)+len(r.Missing) > 0 {
		fmt.Fprintf(i.a.out, "written  %s: %s\n", r.Secrets, strings.Join(slices.Concat(r.Variables, r.Missing), ", "))
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(i.a.out, "Fill in there: %s\n", strings.Join(r.Missing, ", "))
	}
	if len(r.Variables) > 0 && filepath.Base(filepath.Dir(r.Secrets)) == ".compactor" {
		fmt.Fprintln(i.a.out, "Keep secrets.env out of version control.")
	}
	if len(r.Problems) > 0 {
		fmt.Fprintln(i.a.out)
		return withError(i.a.printDiagnostics(r.Problems, "text", opt), failed)
	}
	i.printNext()
	return failed
}

func withError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (i *importing) printTable() error {
	var rows [][]string
	for _, s := range slices.Concat(i.report.Servers, i.report.LeftOut) {
		if s.Transport == "" {
			s.Transport, s.Target = "-", "-"
		}
		rows = append(rows, []string{replaceUnprintable(s.Name), s.Transport, replaceUnprintable(s.Target), ""})
		for k, n := range s.Notes {
			if k > 0 {
				rows = append(rows, []string{"", "", "", ""})
			}
			rows[len(rows)-1][3] = replaceUnprintable(n)
		}
	}
	return screen.Table(i.a.out, []string{"SERVER", "TRANSPORT", "PROGRAM OR HOST", "NOTES"}, rows)
}

// printNext prints the next steps.
func (i *importing) printNext() {
	client := i.name
	if _, err := clients.Find(client); err != nil {
		client = "lmstudio"
	}
	fmt.Fprintf(i.a.out, `
Next:
  %-28s  start them and see what they offer
  %-28s  add compactor to the client
  Then take the servers above out of %s,
  so that the model does not see their tools twice.
`, "compactor servers", "compactor install "+client, i.report.From)
}
