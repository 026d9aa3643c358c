package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
)

// errEmpty reports that a file without text is not a document.
var errEmpty = errors.New("it has no text")

// contentOf makes the content of a file. A panic of an extractor on a hostile file becomes an error.
func contentOf(ctx context.Context, e extract.Extractor, p string, data []byte, policy chunk.Policy) (c Content, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s cannot read it: %v", extract.KindName(e), r)
		}
	}()
	t, err := e.Extract(ctx, p, data)
	if err != nil {
		return Content{}, err
	}
	if strings.TrimSpace(t.Text) == "" {
		return Content{}, errEmpty
	}
	cut, err := t.Cut(ctx, strings.TrimSuffix(path.Base(p), path.Ext(p)), policy)
	if err != nil {
		return Content{}, err
	}
	return Content{Title: cmp.Or(t.Title, cut.Title), Kind: extract.KindName(e), Text: t.Text, Note: strings.Join(t.Notes, "; "), Tags: NewTags(append(t.Tags, cut.Tags...)), Chunks: cut.Chunks}, nil
}

// contentRecipe describes everything that determines the content of a file, except its bytes.
func contentRecipe(e extract.Extractor, p string, policy chunk.Policy) string {
	return fmt.Sprintf("library/1 %s %d-%d-%d %s", e.Kind(), policy.Least, policy.Most, policy.Overlap, path.Base(p))
}
