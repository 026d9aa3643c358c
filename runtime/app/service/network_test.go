package service

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// loadNetwork is what a configuration of the user's comes to.
func loadNetwork(t *testing.T, text string, offline bool) (*Snapshot, diag.List) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte("package compactor\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	snap, diags, err := Load(t.Context(), Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: dir}, Work: t.TempDir(), Builtins: builtins.All, NoModel: true, Offline: offline})
	if err != nil {
		t.Fatal(err)
	}
	if snap != nil {
		t.Cleanup(func() { _ = snap.Close() })
	}
	return snap, diags
}

// pageTools are the tools that read pages.
func pageTools(s *Snapshot) (out []string) {
	for _, t := range s.Plan.Tools {
		if t.Surface == "network" {
			out = append(out, t.Name)
		}
	}
	return out
}

func TestToolsOfTheNetworkAreThereOnlyWhereItIsOpen(t *testing.T) {
	for text, open := range map[string]bool{"": false, "network: {}": false, "network: hosts: {}": false, `network: pages: 3`: false, `network: hosts: "docs.example.org": {}`: true} {
		snap, diags := loadNetwork(t, text, false)
		if snap == nil {
			t.Fatal(text, diags)
		}
		if got := pageTools(snap); len(got) > 0 != open || (snap.web() != nil) != open {
			t.Errorf("%q: tools %v, pages can be read: %v", text, got, snap.web() != nil)
		}
	}
	snap, _ := loadNetwork(t, `network: hosts: "docs.example.org": {}`, true)
	if snap.web() != nil {
		t.Error("offline, pages are read")
	}
	for _, tool := range snap.Plan.Tools {
		if tool.Surface == "network" && (!tool.Hints.OpenWorld || !tool.Hints.ReadOnly) {
			t.Errorf("%s: %+v", tool.Name, tool.Hints)
		}
	}
}

func TestANetworkThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		`network: hosts: "127.0.0.1": {}`:                                                `2:17 network.hosts."127.0.0.1"`,
		`network: hosts: "a.example": paths: ["/ok", "/[a"]`:                             `2:45 network.hosts."a.example".paths.1`,
		`network: hosts: "a.example": start: ["https://b.example/"]`:                     `2:38 network.hosts."a.example".start.0`,
		`network: hosts: "a.example": {paths: ["/d/**"], start: ["https://a.example/"]}`: `2:57 network.hosts."a.example".start.0`,
	} {
		snap, diags := loadNetwork(t, text, false)
		if snap != nil || len(diags) != 1 || diags[0].Code != "C148" || diags[0].Help == "" {
			t.Errorf("%s: %v", text, diags)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s", diags[0].Range.Line, diags[0].Range.Col, diags[0].Path); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
