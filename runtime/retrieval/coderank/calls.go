package coderank

import (
	"bytes"
	"math"
	"path"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

const (
	// maxCalls limits the calls that are kept per segment.
	maxCalls = 256
	// maxCalledName is the longest name that counts as called, in bytes.
	maxCalledName = 64
	// maxHomonyms is the maximum number of definitions that may bear a called name; with more, the
	// one that is meant cannot be determined.
	maxHomonyms = 3
)

// recordCalls records, for every segment with hits, the names before an opening parenthesis, which are
// calls or look like calls.
func (rd *reader) recordCalls(data []byte) {
	for _, f := range rd.found {
		rd.segs[f.seg].hit = true
	}
	line := 0
	for at := 0; ; at++ {
		n := bytes.IndexByte(data[at:], '(')
		if n < 0 {
			return
		}
		at += n
		for line < len(rd.starts) && rd.starts[line] <= at {
			line++
		}
		s := &rd.segs[rd.owner[line]]
		if !s.hit || len(s.calls) == maxCalls || line == s.def.Line {
			continue
		}
		from := at
		for from > 0 && at-from <= maxCalledName && words.ClassOf(data[from-1])&words.Any != 0 {
			from--
		}
		if l := at - from; l > 1 && l <= maxCalledName {
			if h := nameHash(data[from:at]); len(s.calls) == 0 || s.calls[len(s.calls)-1] != h {
				s.calls = append(s.calls, h)
			}
		}
	}
}

// nameHash returns the 32-bit FNV-1a hash of name.
func nameHash[T string | []byte](name T) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// linkCalls gives a definition that calls another one of the list a share of that one's score,
// because reading begins at the caller. The called definition gets a share, too, because the work
// is done there.
func linkCalls(list []ranked, weights *[nFeatures]float64) {
	byName, most := map[uint32][]int{}, 1e-9
	for i := range list {
		most = math.Max(most, list[i].roughValue())
		if n := list[i].doc.segs[list[i].seg].def.Name; n != "" {
			byName[nameHash(n)] = append(byName[nameHash(n)], i)
		}
	}
	eachCall(list, byName, func(caller, callee *ranked, homonyms int) {
		caller.feats[featCalls] = math.Max(caller.feats[featCalls], callee.roughValue()/most/float64(homonyms))
	})
	if weights[featCalled] == 0 {
		return
	}
	top := 0.0
	for i := range list {
		list[i].value = list[i].weightedSum(weights)
		top = math.Max(top, list[i].value)
	}
	eachCall(list, byName, func(caller, callee *ranked, _ int) {
		callee.feats[featCalled] = math.Max(callee.feats[featCalled], 1-(top-caller.value)/calledReach)
	})
}

// calledReach is the score distance behind the best definition from which on a caller adds nothing to what it calls.
const calledReach = 5

// eachCall calls fn for each pair of functions in the list where one appears to call the other, with the number of
// definitions that bear the callee's name.
func eachCall(list []ranked, byName map[uint32][]int, fn func(caller, callee *ranked, homonyms int)) {
	for i := range list {
		caller := &list[i]
		if caller.feats[featBlock]+caller.feats[featType] > 0 {
			continue
		}
		for _, h := range caller.doc.segs[caller.seg].calls {
			named := byName[h]
			if len(named) > maxHomonyms {
				continue
			}
			for _, j := range named {
				callee := &list[j]
				if j != i && callee.feats[featType]+callee.feats[featValue] == 0 && path.Ext(callee.doc.path) == path.Ext(caller.doc.path) {
					fn(caller, callee, len(named))
				}
			}
		}
	}
}

// roughValue returns the score of a definition before its calls are known.
func (k *ranked) roughValue() float64 {
	f := &k.feats
	return 4*f[featFile] + 2*f[featBest] + 4*f[featContext] + 2*f[featName]
}
