package oauth

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// A browser is opened where somebody sees it, with the address as one word and through no shell.
func TestBrowser(t *testing.T) {
	for _, c := range []struct {
		system, env, want string
	}{
		{"linux", "", ""},
		{"linux", "DISPLAY=:0", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY=wayland-0", "xdg-open"},
		{"linux", "WSL_DISTRO_NAME=Debian", "xdg-open"},
		{"linux", "SSH_CONNECTION=1 2 3 4", ""},
		{"darwin", "", "/usr/bin/open"},
		{"darwin", "SSH_CONNECTION=1 2 3 4", ""},
		{"windows", "", "rundll32 url.dll,FileProtocolHandler"},
	} {
		words := browser(c.system, func(name string) string {
			if set, value, _ := strings.Cut(c.env, "="); set == name {
				return value
			}
			return ""
		})
		if strings.Join(words, " ") != c.want {
			t.Errorf("%s with %q: %q", c.system, c.env, words)
		}
	}
	for _, address := range []string{"javascript:alert(1)", "file:///etc/passwd", "--help", "https:", "x; rm"} {
		if Browse(address) == nil {
			t.Errorf("%s was opened", address)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	dir := t.TempDir()
	said := filepath.Join(dir, "said")
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nprintf '%s|' \"$@\" >"+said+".new\nmv "+said+".new "+said+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":0")
	if err := Browse("https://x.example/a?b=$(id)&c=`id`;d"); err != nil {
		t.Fatal(err)
	}
	var got []byte
	clocktest.Until(t, "the browser is opened", func() bool { got, _ = os.ReadFile(said); return len(got) > 0 })
	if string(got) != "https://x.example/a?b=$(id)&c=`id`;d|" {
		t.Errorf("opened: %s", got)
	}
}
