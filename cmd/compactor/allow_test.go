package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

func TestOnlyAYesAllows(t *testing.T) {
	for in, want := range map[string]bool{"y\n": true, "Yes \n": true, "n\n": false, "\n": false, "": false, "y": false, "maybe\ny\n": false,
		strings.Repeat(" ", 200) + "y\n": false} {
		if got := saysYes(t.Context(), strings.NewReader(in)); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestTheQuestionCanBeInterrupted(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	said := make(chan bool, 1)
	go func() { said <- saysYes(ctx, silent) }()
	interrupt()
	if <-said {
		t.Error("an interrupt allowed it")
	}
}

func TestAShortDigestSaysNothing(t *testing.T) {
	held := &consent.Effects{Digest: strings.Repeat("0123456789abcdef", 4)}
	for digest, want := range map[string]bool{"0": false, "0123456789abcde": false, "0123456789abcdef": true, held.Digest: true,
		"0123456789abcdee": false, held.Digest + "0": false} {
		if err := checkDigest(held, digest); (err == nil) != want {
			t.Errorf("%q: %v", digest, err)
		}
	}
}
