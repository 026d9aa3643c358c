package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// maxOutput is the number of bytes that are kept of a cell's output: the beginning of a table tells
// what it is, and a log of a million lines is not a document.
const maxOutput = 4 << 10

// readNotebook returns the cells of a notebook: prose unchanged, code between fences, and its
// output.
func readNotebook(ctx context.Context, data []byte) (Text, error) {
	said, _, err := Decode(data)
	if err != nil {
		return Text{}, err
	}
	n, err := notebook.Parse([]byte(said))
	if err != nil {
		return Text{}, fmt.Errorf("%w: a notebook is JSON: %s", ErrDamaged, sanitize.OneLine(err.Error(), 120))
	}
	cells := n.All()
	if cells == nil {
		return Text{}, fmt.Errorf("%w: a notebook has cells", ErrDamaged)
	}
	language := n.Language()
	if strings.ContainsAny(language, "`\n") {
		language = ""
	}
	w := &writer{}
	for _, c := range cells {
		if err := ctx.Err(); err != nil {
			return Text{}, err
		}
		w.writeCell(c, language)
	}
	return w.text(n.Metadata.Title), nil
}

func (w *writer) writeCell(c notebook.Cell, language string) {
	switch c.Type {
	case "code":
		w.code(language, string(c.Source+c.Input))
		for _, o := range c.Outputs {
			w.writeOutput(o)
		}
	case "heading":
		w.heading(c.Level, string(c.Source))
	default:
		w.write(paragraph, strings.Trim(string(c.Source), "\n"))
		w.last = none
	}
}

// writeOutput adds the text that a cell printed or raised; pictures and pages are left out.
func (w *writer) writeOutput(o notebook.Output) {
	said := string(o.Text)
	for kind, data := range o.Data {
		var t notebook.Joined
		switch {
		case kind == "text/plain" && json.Unmarshal(data, &t) == nil:
			said += string(t)
		case strings.HasPrefix(kind, "image/"):
			w.countLeft("pictures")
		case kind != "text/plain":
			w.countLeft("outputs in other forms")
		}
	}
	if o.Name != "" {
		said += o.Name + ": " + o.Value
	}
	if len(said) > maxOutput {
		said = said[:lastBreak(said, maxOutput)]
		w.countLeft("long outputs, but for their beginning")
	}
	w.code("", said)
}
