package oauth

import (
	"strings"
)

// maxSaid limits a foreign text that is shown, in bytes.
const maxSaid = 200

// maskValues removes values from a text that came from outside.
func maskValues(text string, values ...string) string {
	for _, v := range values {
		if len(v) >= minSecret {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return text
}

// minSecret is the length from which a value is unlikely to occur in text by chance.
const minSecret = 6
