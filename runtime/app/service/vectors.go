package service

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// helpers holds the vector tiers and the judges of a snapshot's collections. They are
// created once, because they cache questions, and a table is large.
type helpers struct {
	mu     sync.Mutex
	tiers  map[string][]library.Tier // by collection
	judges map[string]*rerank.Judge
}

// Tiers returns the vector tiers of a collection. The Err of a tier says why it cannot be used.
func (s *Snapshot) Tiers(c Collection) []library.Tier {
	s.helpers.mu.Lock()
	defer s.helpers.mu.Unlock()
	if t, ok := s.helpers.tiers[c.Name]; ok {
		return t
	}
	var out []library.Tier
	if e := c.Embeddings; e.Model != "" {
		out = append(out, s.endpointTier(e))
	}
	if c.Static.Path != "" {
		path := absolute(s.opt.Work, c.Static.Path)
		table, err := vectors.OpenStatic(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if err != nil {
			err = fmt.Errorf("%s takes no part: %w", vectors.LegStatic, err)
		}
		out = append(out, library.Tier{Tier: table, Weight: c.Static.Weight, Err: err})
	}
	if s.helpers.tiers == nil {
		s.helpers.tiers = map[string][]library.Tier{}
	}
	s.helpers.tiers[c.Name] = out
	return out
}

func (s *Snapshot) endpointTier(e config.Embeddings) library.Tier {
	g, named := s.limiter(e.Model)
	t := library.Tier{Weight: e.Weight}
	if g == nil {
		t.Err = fmt.Errorf("%s takes no part: model %s is not asked", vectors.LegEmbeddings, e.Model)
		return t
	}
	t.Tier = &vectors.Endpoint{From: g, Model: named, Query: e.Query, Passage: e.Passage, Wait: e.Wait, MostText: e.Most, Mask: s.Egress.Text}
	return t
}

// judgeFor returns the judge of a collection, or nil if it has none.
func (s *Snapshot) judgeFor(c Collection) *rerank.Judge {
	r := c.Rerank
	g, named := s.limiter(r.Model)
	if r.Model == "" || g == nil {
		return nil
	}
	s.helpers.mu.Lock()
	defer s.helpers.mu.Unlock()
	if j := s.helpers.judges[c.Name]; j != nil {
		return j
	}
	if s.helpers.judges == nil {
		s.helpers.judges = map[string]*rerank.Judge{}
	}
	j := &rerank.Judge{From: g, Model: named, Prompt: r.Prompt, Top: r.Top, Time: r.Time, Weight: r.Weight, Most: r.Most, Mask: s.Egress.Text}
	s.helpers.judges[c.Name] = j
	return j
}

// limiter returns a model without its fallbacks, and an identifier of the model, since
// vectors of different models cannot be compared.
func (s *Snapshot) limiter(name string) (*model.Limiter, string) {
	spec := s.Plan.Config.Models[name]
	chain := s.Models.Chain(name)
	if chain == nil || spec.Provider == "none" {
		return nil, ""
	}
	return chain.Limiters[0], fmt.Sprintf("%s %s %s", spec.Provider, spec.URL, cmp.Or(spec.Model, name))
}

// expansion returns how questions are expanded.
func expansion(e config.Expand) index.Expansion {
	return index.Expansion{Terms: e.Feedback, Abbreviations: e.Abbreviations, Weight: e.Weight}
}

// signals reports mistakes in the models and tables that a collection uses in addition to its index.
func (c *checker) signals(name string, x config.Collection, work string) {
	at := func(path ...string) []string { return append([]string{"collections", name}, path...) }
	for _, use := range []struct{ setting, model string }{{"embeddings", x.Embeddings.Model}, {"rerank", x.Rerank.Model}} {
		spec, known := c.cfg.Models[use.model]
		switch {
		case use.model == "":
		case !known:
			d := c.report("C200", "there is no model "+use.model, "name one of models", at(use.setting, "model")...)
			d.Allowed = slices.Sorted(maps.Keys(c.cfg.Models))
			d.Suggestion = diag.Nearest(use.model, d.Allowed)
		case spec.Provider == "none":
			d := c.report("C200", "model "+use.model+" has provider none, so no server is asked", "name a model of models that has a server, or leave "+use.setting+" out", at(use.setting, "model")...)
			d.Severity = diag.Warning
		}
	}
	if p := x.Static.Path; p != "" {
		if _, err := os.Stat(absolute(work, p)); err != nil {
			c.report("C200", err.Error(), "name a text file of word vectors, or a folder with model.safetensors and tokenizer.json", at("static", "path")...).Severity = diag.Warning
		}
	}
}
