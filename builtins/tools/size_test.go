package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// maxAnswerTokens is what an answer of search_tools may cost in the median.
const maxAnswerTokens = 400

// publicShelf are the tools of the public servers beside the ranking's tests.
func publicShelf(t *testing.T) *shelf {
	t.Helper()
	files, err := filepath.Glob("../../runtime/retrieval/toolrank/testdata/servers/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no servers: %v", err)
	}
	s := &shelf{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var said struct {
			Instructions string
			Tools        []struct {
				Name, Title, Description string
				Annotations              struct{ Title string }
				InputSchema              struct {
					Properties map[string]struct {
						Type        any
						Description string
						Enum        []string
					}
					Required []string
				}
			}
		}
		if err := json.Unmarshal(data, &said); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		server := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, x := range said.Tools {
			u := &catalog.UpstreamTool{Server: server, Name: x.Name, Listed: server + "__" + x.Name, Title: cmp.Or(x.Title, x.Annotations.Title),
				Description: x.Description, About: said.Instructions, Enabled: true, Uses: func() int { return 0 }}
			for name, p := range x.InputSchema.Properties {
				typ, _ := p.Type.(string)
				u.Params = append(u.Params, catalog.UpstreamParam{Name: name, Type: typ, Description: p.Description, Enum: p.Enum, Required: slices.Contains(x.InputSchema.Required, name)})
			}
			s.tools.List = append(s.tools.List, u)
		}
	}
	return s
}

// TestAnswersAreShort asks for what people ask twelve public servers for.
func TestAnswersAreShort(t *testing.T) {
	s := publicShelf(t)
	data, err := os.ReadFile("../../runtime/retrieval/toolrank/testdata/everyday.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for line := range strings.Lines(string(data)) {
		query, _, ok := strings.Cut(line, " =>")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		out, err := run[SearchOut](t, Search(same), s, map[string]any{"query": query, "limit": 5})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(out); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, tokens.Count(text.String()))
	}
	slices.Sort(sizes)
	t.Logf("%d answers: median %d tokens, the longest %d", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
	if median := sizes[len(sizes)/2]; median > maxAnswerTokens {
		t.Errorf("the median answer has %d tokens, allowed are %d", median, maxAnswerTokens)
	}
}
