package upstream

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// maxDepth limits the nesting of a message. Schemas of real servers stay below 40.
const maxDepth = 512

var errDeep = fmt.Errorf("the message nests more than %d deep", maxDepth)

// checkMessage returns why a message is unusable, or nil if it is valid.
func checkMessage(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("the message is not valid UTF-8")
	}
	if err := rawjson.Sound(data, maxDepth); errors.Is(err, rawjson.ErrDeep) {
		return errDeep
	} else if err != nil {
		return err
	}
	if err := rawjson.Check(data); err != nil {
		return fmt.Errorf("the message is %w", err)
	}
	return nil
}
