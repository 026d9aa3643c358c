package extract

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
)

// readSections returns a function that reads text unchanged, with the headings that symbols finds in a file of the given
// name as its marks. The first of them is the title.
func readSections(name string) func(context.Context, []byte) (Text, error) {
	return func(_ context.Context, data []byte) (Text, error) {
		said, notes, err := Decode(data)
		if err != nil {
			return Text{}, err
		}
		t := Text{Text: said, Form: Marked, Notes: notes}
		line, at := 1, 0
		for _, d := range symbols.Scan(name, []byte(said)) { // in the order of their lines
			for line < d.Line {
				size := strings.IndexByte(said[at:], '\n') + 1
				if size == 0 {
					break
				}
				line, at = line+1, at+size
			}
			level := 1
			if d.Container != "" {
				level = 2 + strings.Count(d.Container, " > ")
			}
			t.Marks = append(t.Marks, chunk.Mark{At: at, Level: level, Name: d.Name})
		}
		if len(t.Marks) > 0 {
			t.Title = t.Marks[0].Name
		}
		return t, nil
	}
}
