package main

import (
	"bufio"
	"io"

	"github.com/spf13/cobra"
)

func (a *app) redact() *cobra.Command {
	var jsonl bool
	cmd := &cobra.Command{
		Use:         "redact",
		GroupID:     "use",
		Annotations: map[string]string{copied: "text"},
		Short:       "Mask the secrets of standard input",
		Long: `Read standard input, mask what the configuration's redaction finds, and write the
rest unchanged. This is what every reply goes through.

With --jsonl each line is {"id", "text"} and becomes {"id", "redacted"}.`,
		Example: `  git diff | compactor redact
  compactor redact --jsonl < texts.jsonl`,
		Args: requireArgs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.load(cmd.Context())
			if err != nil {
				return err
			}
			r := svc.Snapshot().Redactor
			if jsonl {
				if err := r.JSONL(a.in, a.out); err != nil {
					return exit{exitInvalid, err.Error()}
				}
				return nil
			}
			text, err := io.ReadAll(bufio.NewReader(a.in))
			if err != nil {
				return exit{exitBroken, "standard input: " + err.Error()}
			}
			masked, _ := r.Redact(string(text))
			_, err = io.WriteString(a.out, masked)
			return err
		},
	}
	cmd.Flags().BoolVar(&jsonl, "jsonl", false, `lines {"id","text"} in, {"id","redacted"} out`)
	return cmd
}
