package mcpfile

import "testing"

func TestNamesSecret(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"GITHUB_TOKEN", "x", true}, {"api-key", "x", true}, {"apiKey", "x", true}, {"X-Api-Key", "x", true}, {"GITHUB_PAT", "x", true},
		{"Authorization", "x", true}, {"password", "12345678", true}, {"key", "YOUR_KEY", true},
		{"GITHUB_TOKEN", "", false}, {"", "x", false}, {"MAX_TOKEN", "4096", false}, {"USE_KEY", "true", false}, {"SSH_KEY", "~/.ssh/id", false},
		{"GOOGLE_CREDENTIALS", "/etc/x.json", false}, {"SSL_KEY", `C:\key.pem`, false}, {"token-limit", "x", false}, {"KEYBOARD", "de", false}, {"PATH", "x", false},
	} {
		if got := NamesSecret(c.key, c.value); got != c.want {
			t.Errorf("%s=%s: %v", c.key, c.value, got)
		}
	}
}
