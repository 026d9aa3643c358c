package main

import (
	"embed"
	"strings"
)

// helpFiles are the texts of help that name roles, pipelines or tools of the
// shipped configuration: examples for people, and nothing that the program goes by.
//
//go:embed help/*.txt
var helpFiles embed.FS

// helpText is one of them.
func helpText(name string) string {
	text, err := helpFiles.ReadFile("help/" + name)
	if err != nil { // it is embedded
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}
