package budget

import "math"

// Portion returns a child for extra work: it may spend a share, between 0 and 1, of
// what is left here and above, so that enough remains for required work. Its refusals
// are not reported as limits that were hit: the request is complete without the extra
// work.
func (l *Ledger) Portion(share float64) *Ledger {
	if l == nil {
		return New(Limits{})
	}
	l.mu.Lock()
	by := l.leftOver()
	l.mu.Unlock()
	part := func(left int64) int64 {
		if left == math.MaxInt64 {
			return 0 // no limit
		}
		return max(1, int64(share*float64(left)))
	}
	child := l.Child(Limits{Files: int(part(by.files)), Bytes: part(by.bytes), Steps: int(part(by.steps)),
		TokensIn: int(part(by.in)), TokensOut: int(part(by.out))})
	child.quiet = true
	return child
}

// TokensInLeft returns how many prompt tokens may still be used, here and above, and
// whether anything limits them.
func (l *Ledger) TokensInLeft() (left int, limited bool) {
	if l == nil {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	in := l.leftOver().in
	return int(in), in != math.MaxInt64
}

// ReserveOut reserves up to n tokens of a reply, here and above, before a model writes
// it. It returns how many may be requested, or an error if that is less than min(n, least).
// settle must be called once with the number written, and returns the rest.
func (l *Ledger) ReserveOut(n, least int) (most int, settle func(written int), err error) {
	if l == nil {
		return n, func(int) {}, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	most = int(min(int64(n), l.leftOver().out))
	if most < min(n, least) {
		for at := l; at != nil; at = at.parent {
			if err := l.checkRoom(at, "tokens_out", int64(at.used.TokensOut), int64(min(n, least)), int64(at.limits.TokensOut)); err != nil {
				return 0, nil, err
			}
		}
	}
	l.addOut(most)
	return most, func(written int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.addOut(written - most)
	}, nil
}

// addOut books n tokens of a reply here and above. The caller holds mu.
func (l *Ledger) addOut(n int) {
	for at := l; at != nil; at = at.parent {
		at.used.TokensOut += n
	}
}

// rest is what is left of each limit; MaxInt64 means unlimited.
type rest struct{ files, bytes, steps, in, out int64 }

// leftOver returns the least that is left here and above. The caller holds mu.
func (l *Ledger) leftOver() rest {
	r := rest{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	for at := l; at != nil; at = at.parent {
		for _, c := range []struct {
			least     *int64
			used, max int64
		}{
			{&r.files, int64(at.used.Files), int64(at.limits.Files)},
			{&r.bytes, at.used.Bytes, at.limits.Bytes},
			{&r.steps, int64(at.used.Steps), int64(at.limits.Steps)},
			{&r.in, int64(at.used.TokensIn), int64(at.limits.TokensIn)},
			{&r.out, int64(at.used.TokensOut), int64(at.limits.TokensOut)},
		} {
			if c.max > 0 {
				*c.least = min(*c.least, max(0, c.max-c.used))
			}
		}
	}
	return r
}
