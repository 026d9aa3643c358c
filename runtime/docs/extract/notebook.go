package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/quote"
)

// maxOutput is how much of what a cell printed is kept, in bytes: the beginning of
// a table tells what it is, and a log of a million lines is no document.
const maxOutput = 4 << 10

// notebook is the part of the format that holds text, versions 3 to 4.
type notebook struct {
	Cells      []cell `json:"cells"`
	Worksheets []struct {
		Cells []cell `json:"cells"`
	} `json:"worksheets"`
	Metadata struct {
		Title    string                `json:"title"`
		Language struct{ Name string } `json:"language_info"`
		Kernel   struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	} `json:"metadata"`
}

type cell struct {
	Type    string   `json:"cell_type"`
	Source  joined   `json:"source"`
	Input   joined   `json:"input"` // version 3
	Level   int      `json:"level"` // of a heading, version 3
	Outputs []output `json:"outputs"`
}

type output struct {
	Text      joined                     `json:"text"`
	Data      map[string]json.RawMessage `json:"data"`
	Name      string                     `json:"ename"`
	Value     string                     `json:"evalue"`
	Traceback json.RawMessage            `json:"traceback"`
}

// joined is a text, or a list of its lines.
type joined string

func (t *joined) UnmarshalJSON(data []byte) error {
	var list []string
	if len(data) > 0 && data[0] == '[' {
		err := json.Unmarshal(data, &list)
		*t = joined(strings.Join(list, ""))
		return err
	}
	var s string
	err := json.Unmarshal(data, &s)
	*t = joined(s)
	return err
}

// readNotebook returns the cells of a notebook: prose as it stands, code between
// fences, and what it printed.
func readNotebook(ctx context.Context, data []byte) (Text, error) {
	said, _, err := Decode(data)
	if err != nil {
		return Text{}, err
	}
	var n notebook
	if err := json.Unmarshal([]byte(said), &n); err != nil {
		return Text{}, fmt.Errorf("%w: a notebook is JSON: %s", ErrDamaged, quote.OneLine(err.Error(), 120))
	}
	cells := n.Cells
	for _, s := range n.Worksheets {
		cells = append(cells, s.Cells...)
	}
	if cells == nil {
		return Text{}, fmt.Errorf("%w: a notebook has cells", ErrDamaged)
	}
	language := n.Metadata.Language.Name
	if language == "" {
		language = n.Metadata.Kernel.Language
	}
	if strings.ContainsAny(language, "`\n") {
		language = ""
	}
	w := &writer{}
	for _, c := range cells {
		if err := ctx.Err(); err != nil {
			return Text{}, err
		}
		w.cell(c, language)
	}
	return w.text(n.Metadata.Title), nil
}

func (w *writer) cell(c cell, language string) {
	switch c.Type {
	case "code":
		w.code(language, string(c.Source+c.Input))
		for _, o := range c.Outputs {
			w.output(o)
		}
	case "heading":
		w.heading(c.Level, string(c.Source))
	default:
		w.write(paragraph, strings.Trim(string(c.Source), "\n"))
		w.last = none
	}
}

// output adds what a cell printed or raised; pictures and pages are left out.
func (w *writer) output(o output) {
	said := string(o.Text)
	for kind, data := range o.Data {
		var t joined
		switch {
		case kind == "text/plain" && json.Unmarshal(data, &t) == nil:
			said += string(t)
		case strings.HasPrefix(kind, "image/"):
			w.leave("pictures")
		case kind != "text/plain":
			w.leave("outputs in other forms")
		}
	}
	if o.Name != "" {
		said += o.Name + ": " + o.Value
	}
	if len(said) > maxOutput {
		said = said[:before(said, maxOutput)]
		w.leave("long outputs, but for their beginning")
	}
	w.code("", said)
}
