package leads

import (
	"strings"
	"testing"
)

// TestReadmeSaysWhatTheProjectIs says that sections which thank or ask for money are
// passed over, and that a paragraph which names the project goes before one on its
// subject.
func TestReadmeSaysWhatTheProjectIs(t *testing.T) {
	for _, c := range []struct{ name, text, want, not string }{
		{"underlined", "Kite\n====\n\nSponsors\n========\n\nCloud Corp\n----------\n\nCloud Corp is the leading provider of queues in the cloud.\n\nWhat is it?\n===========\n\nTask queues are used to hand work to other machines.\n\nKite talks to its workers through a broker of messages.\n",
			"Task queues are used to hand work to other machines. Kite talks to its workers", "Cloud Corp"},
		{"hashes", "# Kite\n\n## Backers\n\n### Gold\n\nGold Inc is a server farm that you will surely like.\n\n## About\n\nKite is a small broker of jobs for everyone.\n", "Kite is a small broker", "Gold Inc"},
		{"named", "# Kite\n\nAn efficient server implies lower costs and happy users.\n\nEnter Kite. Kite is a web framework of little overhead.\n", "Enter Kite. Kite is a web framework", "efficient"},
	} {
		got, line := firstParagraphs(c.text, "kite", 420)
		if !strings.HasPrefix(got, c.want) || strings.Contains(got, c.not) || line == 0 {
			t.Errorf("%s: line %d: %s", c.name, line, got)
		}
	}
}
