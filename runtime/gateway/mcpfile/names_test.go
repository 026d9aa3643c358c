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
		{PathKey, "ZTk4NzY1NDMyMWFiY2RlZjEyMzQ1Njc4OTBhYmNkZWY6MTIzNA==", true}, {PathKey, "0b9f86d081884c7d659a2feaa0c55ad0", true},
		{PathKey, "6f1c1c0e-7d0b-4b43-9d8e-2f7f0f3c1a11", true}, {PathKey, "mcp", false}, {PathKey, "my-very-long-workspace-name-2", false}, {PathKey, "v1", false},
	} {
		if got := NamesSecret(c.key, c.value); got != c.want {
			t.Errorf("%s=%s: %v", c.key, c.value, got)
		}
	}
}
