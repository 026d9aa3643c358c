package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// A GitHub token, not written as one here.
const writtenToken = "gh" + "p_nLb6argKHKnP4UF5Jmq8CdauoOT60Q9UUJDf"

// shownWithoutKeys is what config show prints of a configuration.
func shownWithoutKeys(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	return string(config.Show(cfg, withoutKeys(redact.Default())))
}

func TestAConfigurationIsShownWithoutItsKeys(t *testing.T) {
	source := `package compactor

servers: {
	a: {
		command: "npx" // from a.cue
		args: ["-y", "@scope/server@1.2.3", "--api-key", "short1", "--root=/src", "--token=short2", "TOKEN", "postgres://app:short3@db/x", "Authorization: Bearer short4"]
		env: {
			API_KEY:  "short5"
			LEVEL:    "debug"
			FROM_ENV: "${API_TOKEN}"
		}
	}
	b: {
		url: "https://user:short6@host/mcp?api_key=short7&region=eu"
		headers: {
			Authorization: "Bearer short8"
			"X-Region":    "eu"
		}
	}
}
models: default: {
	provider: "openai"
	url: "http://127.0.0.1:1234/v1"
	key: "GITHUB_TOKEN"
}
`
	got := shownWithoutKeys(t, strings.ReplaceAll(source, "TOKEN\", \"postgres", writtenToken+"\", \"postgres"))
	for _, secret := range []string{"short1", "short2", "short3", "short4", "short5", "short6", "short7", "short8", writtenToken} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	for _, keep := range []string{`"npx" // from a.cue:5:12`, `"-y", "@scope/server@1.2.3", "--api-key"`, `"--root=/src"`, `"debug"`, `"${API_TOKEN}"`, `region=eu`, `host/mcp`, `"GITHUB_TOKEN"`, `"X-Region": "eu"`, "db"} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), keep) {
			t.Errorf("%s is not shown", keep)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestDiagnosticsShowNoKeysAndStayOnTheirLines(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a\x1b[2J\n- run.cue")
	text := "servers: a: env: API_KEY: \"sh0rt-é\"\nservers: a: args: [\"--token\", \"abc\", 1]\nx: \"http://h/?token=sh0rt9&a=1\" // " + writtenToken + "\nmodels: m: key: \"GITHUB_TOKEN\"\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Skip(err) // not every system has such names
	}
	list := diag.List{}
	for n := 1; n <= 4; n++ {
		list = append(list, diag.Diagnostic{Code: "C001", Severity: diag.Error, Range: diag.Range{File: filepath.ToSlash(file), Line: n, Col: 1, EndLine: n, EndCol: 2},
			Path: "servers.a.env.API_KEY", Message: "conflicting values \"sh0rt-é\" and 1\n" + writtenToken + "\x1b]52;c;x\a"})
	}
	var b strings.Builder
	if err := writeDiags(&b, list); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, bad := range []string{"sh0rt", `"abc"`, writtenToken, "\x1b", "\n- run", "\a"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in\n%s", bad, got)
		}
	}
	for _, keep := range []string{`API_KEY: "*******"`, `["--token", "***", 1]`, `key: "GITHUB_TOKEN"`, `\u{1b}[2J\u{a}- run.cue`} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), keep) {
			t.Errorf("%q is not in\n%s", keep, got)
		}
	}
}

// A header or variable may be a secret whatever it is called: pages and the control API
// show its name, and of its value the variables that stand in it.
func TestHeadersAndVariablesOfServersAreNotServed(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, `servers: keyed: {command: "sampleserver", args: ["memory"], enabled: false, env: {LEVEL: "plainword1", PART: "plainword2-${HOME}plainword3$", OTHER: "${HOME}"}}
servers: away: {url: "http://127.0.0.1:9/mcp", enabled: false, headers: {"X-Custom": "plainword4", Authorization: "Bearer ${HOME}", "X-Long": """
	plainword5
	plainword6
	"""}}
`)
	s := serveWith(t, binary, dir)
	browser, base := letIn(t, binary, frontEnv(dir))
	for _, address := range []string{base + "configuration", base + "configuration?q=servers&own=1", s.base + "/config", s.base + "/config?path=servers.keyed.env", s.base + "/config?path=servers.away.headers"} {
		status, text := seenBy(t, browser, address)
		if status != 200 || strings.Contains(text, "plainword") || !strings.Contains(text, "${HOME}") || !strings.Contains(text, "[REDACTED:") {
			t.Errorf("%s: %d %s", address, status, text)
		}
	}
	for _, address := range []string{base + "configuration", s.base + "/config"} {
		_, text := seenBy(t, browser, address)
		for _, keep := range []string{"Bearer ${HOME}", "X-Custom", "[REDACTED:LEVEL]", "memory"} {
			if !strings.Contains(text, keep) {
				t.Errorf("%s does not show %s", address, keep)
			}
		}
	}
	list := withoutValues(diag.List{{Path: "servers.keyed.env.LEVEL", Message: `conflicting values "plainword1" and 1234 of "LEVEL"`, Related: []diag.Related{{Message: `"plainword1" is written here`}}}})
	if got := list[0].Message + list[0].Related[0].Message; got != `conflicting values "…" and "…" of "LEVEL""…" is written here` {
		t.Error(got)
	}
}
