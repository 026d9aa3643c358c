package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// sums maps the names of files to their checksums.
type sums map[string]string

func sumFiles(dir string, names []string) (sums, error) {
	out := sums{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		out[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return out, nil
}

// formatSums returns the checksums as sha256sum -c reads them.
func (s sums) formatSums() string {
	var lines []string
	for name, sum := range s {
		lines = append(lines, sum+"  "+name+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return strings.Join(lines, "")
}

//go:embed formula.rb.tmpl
var formula string

//go:embed scoop.json.tmpl
var scoop string

// writeManifests writes the files that package managers install from. One that lacks a system is
// left out: it would install nothing there.
func (r *release) writeManifests(s sums) (left []string, err error) {
	for name, m := range map[string]struct {
		text    string
		systems []string
	}{
		"compactor.rb":   {formula, []string{"darwin-amd64.tar.gz", "darwin-arm64.tar.gz", "linux-amd64.tar.gz", "linux-arm64.tar.gz"}},
		"compactor.json": {scoop, []string{"windows-amd64.zip", "windows-arm64.zip"}},
	} {
		if slices.ContainsFunc(m.systems, func(system string) bool { return s["compactor-"+r.Version+"-"+system] == "" }) {
			left = append(left, name)
			continue
		}
		text, err := r.renderManifest(m.text, s)
		if err == nil {
			err = os.WriteFile(filepath.Join(r.out, name), text, 0o644)
		}
		if err != nil {
			return left, err
		}
	}
	slices.Sort(left)
	return left, nil
}

func (r *release) renderManifest(text string, s sums) ([]byte, error) {
	file := func(system string) string { return "compactor-" + r.Version + "-" + system }
	t, err := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"number": func() string { return strings.TrimPrefix(r.Version, "v") },
		"dir":    file,
		"url":    func(system string) string { return strings.TrimSuffix(r.BaseURL, "/") + "/" + file(system) },
		"sha256": func(system string) string { return s[file(system)] },
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, r)
	return b.Bytes(), err
}
