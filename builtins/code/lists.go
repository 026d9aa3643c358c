package code

import "embed"

//go:embed lists
var lists embed.FS

// readList returns the text of an embedded word list.
func readList(name string) string {
	text, err := lists.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err) // the file is embedded: only a wrong name in the code fails
	}
	return string(text)
}
