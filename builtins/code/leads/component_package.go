package leads

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// pathHit is a file or a directory that a name may refer to.
type pathHit struct {
	root *sandbox.Root
	rel  string
	dir  bool
	fit  int // number of trailing parts that match
}

// ofPackage answers for a name that refers to a package, a directory or a file: its parts are the
// end of a path. Its first parts, such as the host of a module, may be missing from the tree.
func ofPackage(ctx context.Context, env *catalog.Env, asked string, q qualified) (ComponentOutput, bool, error) {
	file, line, _ := source.ParsePlace(asked)
	var hits []pathHit
	for _, root := range env.Roots.Roots() {
		files, err := filesOf(ctx, root, env)
		if err != nil {
			return ComponentOutput{}, false, source.WithCode(err)
		}
		hits = append(hits, pathsLike(root, files, strings.Trim(file, "./"), append(slices.Clone(q.by), q.base))...)
	}
	best := 0
	for _, h := range hits {
		best = max(best, h.fit)
	}
	hits = slices.DeleteFunc(hits, func(h pathHit) bool { return h.fit < best })
	if dirs := slices.DeleteFunc(slices.Clone(hits), func(h pathHit) bool { return !h.dir }); len(dirs) > 0 {
		hits = dirs
	}
	if best*2 < len(q.by)+1 { // more of the name is missing than present
		hits = importedBy(ctx, env, asked, hits)
	}
	switch {
	case len(hits) == 0:
		return ComponentOutput{}, false, ctx.Err()
	case len(hits) > 1:
		return ComponentOutput{Form: formSeveral, Result: tellPaths(env, asked, hits)}, true, nil
	}
	e, err := hits[0].root.Stat(hits[0].rel)
	if err != nil {
		return ComponentOutput{}, false, source.WithCode(err)
	}
	out, err := standsFor(ctx, env, hits[0].root, e, line)
	return out, true, err
}

// importedBy keeps the directories whose Go package has the import path asked.
func importedBy(ctx context.Context, env *catalog.Env, asked string, hits []pathHit) []pathHit {
	var out []pathHit
	for _, h := range hits[:min(len(hits), 50)] {
		if h.dir && usage.GoImportPath(ctx, env, h.root.Name(), env.Roots.Ref(h.root, h.rel+"/any.go")) == strings.TrimSuffix(asked, "/") {
			out = append(out, h)
		}
	}
	return out
}

// pathsLike returns the files and directories whose path ends like a name: as a path, or part by
// part without the extension of a file.
func pathsLike(root *sandbox.Root, files []sandbox.Entry, asked string, parts []string) []pathHit {
	var out []pathHit
	seen := map[string]bool{}
	add := func(p string, dir bool) {
		n := source.CommonTail(asked, p)
		if n < strings.Count(asked, "/")+1 {
			n = 0
		}
		bare := p
		if !dir {
			bare = strings.TrimSuffix(p, path.Ext(p))
		}
		if n = max(n, tailOf(bare, parts)); n > 0 {
			out = append(out, pathHit{root, p, dir, n})
		}
	}
	for _, f := range files {
		add(f.Path, false)
		for d := path.Dir(f.Path); d != "." && !seen[d]; d = path.Dir(d) {
			seen[d] = true
			add(d, true)
		}
	}
	return out
}

// tailOf counts how many of the last parts the path ends with.
func tailOf(p string, parts []string) int {
	n := 0
	for n < len(parts) {
		dir, base := path.Split(p)
		if base == "" || base != parts[len(parts)-1-n] {
			break
		}
		n++
		p = strings.TrimSuffix(dir, "/")
	}
	return n
}

// tellPaths lists files and directories that are equally likely.
func tellPaths(env *catalog.Env, asked string, hits []pathHit) contract.Result {
	r := contract.Result{References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	var names []string
	for _, h := range hits[:min(len(hits), maxPackages)] {
		ref := env.Roots.Ref(h.root, h.rel)
		r.References = append(r.References, ref)
		if h.dir {
			ref += "/"
		}
		names = append(names, "`"+ref+"`")
	}
	r.Summary = fmt.Sprintf("`%s` may be one of %d paths: %s. Ask for one of them.", contract.Shorten(asked, 120), len(hits), strings.Join(names, ", "))
	return r
}
