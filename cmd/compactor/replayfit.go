package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// weightsCUE formats weights as a configuration has them, for all clients or for a profile.
func weightsCUE(profile string, w predict.Weights) string {
	at := "gateway"
	if profile != "" {
		at = "profiles: " + profile
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: selection: weights: {\n", at)
	for _, name := range slices.Sorted(maps.Keys(w)) {
		fmt.Fprintf(&b, "\t%s: %s\n", name, strconv.FormatFloat(w[name], 'g', 4, 64))
	}
	b.WriteString("}\n")
	return b.String()
}

// printWeights prints the fitted weights so that they can be pasted.
func printWeights(w io.Writer, text string) error {
	_, err := fmt.Fprintf(w, "\nThese suit all that was learnt from; in your configuration:\n\n%s", text)
	return err
}

// writeWeights writes the weights as a file of a configuration. An existing file is left
// alone: it may contain more.
func writeWeights(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--write: %s is there already: name another file, or delete it", path)
	}
	if err != nil {
		return fmt.Errorf("--write: %s", readError(path, err))
	}
	_, err = io.WriteString(file, "package compactor\n\n// Weights found by compactor replay --fit.\n"+text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(path)
		return fmt.Errorf("--write: %w", err)
	}
	return nil
}
