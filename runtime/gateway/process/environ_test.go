package process_test

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

func TestEnvironIsAnAllowlist(t *testing.T) {
	ours := map[string]string{
		"PATH": "/bin", "HOME": "/home/u", "LANG": "C", "LC_ALL": "C", "XDG_CACHE_HOME": "/c", "TZ": "UTC",
		"AWS_SECRET_ACCESS_KEY": "canary", "OPENAI_API_KEY": "canary", "LD_PRELOAD": "canary", "NODE_OPTIONS": "canary",
		"SSH_AUTH_SOCK": "canary", "COMPACTOR_CONFIG": "canary", "GITHUB_TOKEN": "canary",
		"HTTPS_PROXY": "http://user:canary@proxy:3128", "http_proxy": "http://proxy:3128", "NO_PROXY": "localhost",
	}
	got := process.Environ(map[string]string{"GITHUB_TOKEN": "declared", "LANG": "de"}, func(n string) string { return ours[n] })
	want := []string{
		"GITHUB_TOKEN=declared", "HOME=/home/u", "LANG=de", "LC_ALL=C", "NO_PROXY=localhost", "PATH=/bin", "TZ=UTC",
		"XDG_CACHE_HOME=/c", "http_proxy=http://proxy:3128",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Fifty canaries in our environment: none reaches a program.
func TestCanariesAreNotPassed(t *testing.T) {
	for i := range 50 {
		t.Setenv([]string{"TOKEN", "AWS_KEY", "LC_", "XDG_", "npm_config_"}[i%5]+strconv.Itoa(i), "canary-"+strconv.Itoa(i))
	}
	l := newLauncher(t)
	c := self("environ", "environ")
	c.Env = map[string]string{"DECLARED": "yes"}
	p := start(t, l, c)
	text, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"DECLARED=yes"`) || !strings.Contains(string(text), process.Marker+"=") {
		t.Errorf("the program has not what it needs:\n%s", text)
	}
	if strings.Contains(string(text), "canary") {
		t.Errorf("a canary was passed:\n%s", text)
	}
}

// A compactor that is itself an upstream of another hands on the other's marker beside its own.
func TestMarkersAreHandedOn(t *testing.T) {
	l := newLauncher(t, func(o *process.Options) {
		o.Getenv = func(name string) string {
			if name == process.Marker {
				return "outer.1.compactor"
			}
			return ""
		}
	})
	p := start(t, l, self("a b/ü", "environ"))
	found := false
	for lines := bufio.NewScanner(p.Stdout()); lines.Scan(); {
		line, _ := strconv.Unquote(lines.Text())
		if value, ok := strings.CutPrefix(line, process.Marker+"="); ok {
			found = strings.HasPrefix(value, "outer.1.compactor,") && strings.HasSuffix(value, ".1.a_b__")
			if !found {
				t.Errorf("the marker is %q", value)
			}
		}
	}
	if !found {
		t.Error("both markers are expected")
	}
	if err := p.Stop(time.Second); err != nil {
		t.Error(err)
	}
}
