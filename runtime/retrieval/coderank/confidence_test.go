package coderank_test

import (
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// TestConfidence asks one tree for what it has, for what stands everywhere in
// it, and for what it hardly has.
func TestConfidence(t *testing.T) {
	tree := map[string]string{
		"upload/resume.go": "package upload\n\n// resumeUpload continues an interrupted upload at the last chunk.\nfunc resumeUpload(chunk int) { upload(chunk) }\n",
		"guide.md":         "# Billing\n\nInvoices are sent when the month is closed.\n",
	}
	for i := range 12 {
		tree[fmt.Sprintf("api/h%d.go", i)] = fmt.Sprintf("package api\n\nfunc handle%d(request, session int) { reply(request, session) }\n", i)
	}
	for _, c := range []struct {
		question string
		want     retrieval.Confidence
	}{
		{"how does an interrupted upload resume at the last chunk", retrieval.High},
		{"where is resumeUpload", retrieval.High},
		{"reply to a request of a session", retrieval.Medium},
		{"draw the colour histogram of the last picture", retrieval.Low},
	} {
		r := search(c.question, tree, 1)
		if r.Confidence != c.want {
			t.Errorf("%q: %s %v %s, want %s", c.question, r.Confidence, paths(r), r.NotFound, c.want)
		}
	}
}

// TestDocumentsAreSureOfThemselves asks a tree without code.
func TestDocumentsAreSureOfThemselves(t *testing.T) {
	r := search("when are invoices sent", map[string]string{
		"billing.md": "# Sending invoices\n\nInvoices are sent when the month is closed.\n",
		"team.md":    "# Team\n\nWho is who.\n",
	}, 1)
	if r.Confidence != retrieval.High || len(r.Hits) == 0 || r.Hits[0].Path != "billing.md" {
		t.Errorf("%s %v", r.Confidence, paths(r))
	}
}
