package web

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ExcerptsInput is the input of web.excerpts.
type ExcerptsInput struct {
	References []string `json:"references" doc:"addresses that were cited"`
	Lines      int      `json:"lines" doc:"lines of 80 letters for each at most" default:"12" min:"1" max:"400"`
}

// around is how many bytes of a page are shown before and after a sentence.
const around = 500

// excerpts are the texts behind references, by reference.
type excerpts map[string][]string

type excerptsKey struct{}

// keep adds the text around a sentence, once.
func (e excerpts) keep(ref string, s sentence) {
	if text := s.textAround(); !slices.Contains(e[ref], text) {
		e[ref] = append(e[ref], text)
	}
}

// textAround returns the paragraph of a sentence, with the following one if there is room.
func (s sentence) textAround() string {
	text := contract.Shorten(s.block.Text, 2*around)
	if i := strings.Index(s.block.Text, s.text); i > around {
		text = contract.Shorten(s.block.Text[i:], 2*around)
	}
	if next := s.at + 1; next < len(s.of.doc.Blocks) && len(text) < around {
		text += "\n" + contract.Shorten(s.of.doc.Blocks[next].Text, around)
	}
	return text
}

// Excerpts returns web.excerpts, which gives the text behind the citations of web.answer in the
// same call. It reads no page again.
func Excerpts() catalog.Builtin {
	return catalog.New("web.excerpts", "give the text behind references to pages", catalog.Network,
		func(_ context.Context, env *catalog.Env, in ExcerptsInput) (contract.Excerpts, error) {
			out := contract.Excerpts{Excerpts: []contract.Excerpt{}}
			kept, _ := env.Memo.Get(excerptsKey{}).(excerpts)
			for _, ref := range in.References {
				if text := contract.Shorten(strings.Join(kept[ref], "\n\n"), 80*in.Lines); text != "" {
					out.Excerpts = append(out.Excerpts, contract.Excerpt{Reference: ref, First: 1, Text: text})
				}
			}
			return out, nil
		})
}
