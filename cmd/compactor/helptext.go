package main

import (
	"embed"
	"strings"
)

// helpFiles holds the help texts that name roles, pipelines or tools of the shipped
// configuration: they are examples for people, and the program does not depend on them.
//
//go:embed help/*.txt
var helpFiles embed.FS

// helpText returns the help text of a file.
func helpText(name string) string {
	text, err := helpFiles.ReadFile("help/" + name)
	if err != nil { // it is embedded
		panic(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}
