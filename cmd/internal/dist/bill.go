package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
)

// document is a bill of materials in CycloneDX 1.6, made from what Go itself embeds in a
// program: the modules that are really linked, and their checksums. A tool that makes one
// adds a serial number and a time of its own; this one is the same each time.
type document struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Purl       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// makeBill returns the bill of materials of a program.
func (r *release) makeBill(info *debug.BuildInfo, program []byte) ([]byte, error) {
	main := component{Type: "application", Name: info.Main.Path, Version: r.Version, Purl: packageURL(info.Main.Path, r.Version),
		Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(program))}}, Properties: []property{{"git:commit", r.Commit}}}
	main.Ref = main.Purl
	mit := license{}
	mit.License.ID = "MIT"
	main.Licenses = []license{mit}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GO") || strings.HasPrefix(s.Key, "CGO") {
			main.Properties = append(main.Properties, property{"go:build:" + s.Key, s.Value})
		}
	}
	doc := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{r.Time.Format(time.RFC3339), main}}
	runtime := &debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}
	on := dependency{Ref: main.Ref}
	for _, m := range append([]*debug.Module{runtime}, info.Deps...) {
		c := moduleComponent(m)
		doc.Components = append(doc.Components, c)
		on.On = append(on.On, c.Ref)
	}
	doc.Dependencies = []dependency{on}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(doc)
	return b.Bytes(), err
}

func moduleComponent(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	c := component{Type: "library", Name: m.Path, Version: m.Version, Purl: packageURL(m.Path, m.Version)}
	c.Ref = c.Purl
	if m.Sum != "" { // it covers the module's files, as in go.sum; not the hash of one file, so no hash of the format
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}

// packageURL returns the package URL of a module, as bills of materials write it.
func packageURL(path, version string) string {
	return "pkg:golang/" + path + "@" + url.PathEscape(version)
}
