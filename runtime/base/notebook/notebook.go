// Package notebook reads Jupyter notebooks, versions 3 to 5 of their format
// (https://nbformat.readthedocs.io/en/latest/format_description.html).
package notebook

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Notebook is the part of the format that holds text.
type Notebook struct {
	Cells      []Cell `json:"cells"`
	Worksheets []struct {
		Cells []Cell `json:"cells"`
	} `json:"worksheets"` // version 3
	Metadata struct {
		Title    string                `json:"title"`
		Language struct{ Name string } `json:"language_info"`
		Kernel   struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	} `json:"metadata"`
}

// Cell is one cell: code, markdown, raw, or a heading in version 3.
type Cell struct {
	Type     string   `json:"cell_type"`
	Source   Joined   `json:"source"`
	Input    Joined   `json:"input"`    // of code, version 3
	Language string   `json:"language"` // of code, version 3
	Level    int      `json:"level"`    // of a heading, version 3
	Outputs  []Output `json:"outputs"`
}

// Output is what a cell printed, showed or raised.
type Output struct {
	Text      Joined                     `json:"text"`
	Data      map[string]json.RawMessage `json:"data"`
	Name      string                     `json:"ename"`
	Value     string                     `json:"evalue"`
	Traceback json.RawMessage            `json:"traceback"`
}

// Joined is a text, given as a string or a list of its lines.
type Joined string

// UnmarshalJSON accepts both forms.
func (t *Joined) UnmarshalJSON(data []byte) error {
	var list []string
	if len(data) > 0 && data[0] == '[' {
		err := json.Unmarshal(data, &list)
		*t = Joined(strings.Join(list, ""))
		return err
	}
	var s string
	err := json.Unmarshal(data, &s)
	*t = Joined(s)
	return err
}

// Parse parses a notebook. Errors come from encoding/json.
func Parse(data []byte) (*Notebook, error) {
	n := &Notebook{}
	if err := json.Unmarshal(data, n); err != nil {
		return nil, err
	}
	return n, nil
}

// All returns the cells of every worksheet, nil if the file has no list of cells.
func (n *Notebook) All() []Cell {
	cells := n.Cells
	for _, s := range n.Worksheets {
		cells = append(cells, s.Cells...)
	}
	return cells
}

// Language returns the language of the code cells as the notebook names it, "" if it does not.
func (n *Notebook) Language() string {
	if name := cmp.Or(n.Metadata.Language.Name, n.Metadata.Kernel.Language); name != "" {
		return name
	}
	for _, c := range n.All() {
		if c.Language != "" {
			return c.Language
		}
	}
	return ""
}
