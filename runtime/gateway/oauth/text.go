package oauth

import (
	"strings"
)

// maxSaid bounds a foreign text that is shown, in bytes.
const maxSaid = 200

// without takes values out of a text that came from outside.
func without(text string, values ...string) string {
	for _, v := range values {
		if len(v) >= minSecret {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return text
}

// minSecret is the length from which a value is no part of any text.
const minSecret = 6
