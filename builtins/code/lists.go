package code

import "embed"

//go:embed lists
var lists embed.FS

// listed is the text of an embedded list of words.
func listed(name string) string {
	text, err := lists.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err) // an embedded file: only a wrong name in the code does this
	}
	return string(text)
}
