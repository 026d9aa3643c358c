package model

import "time"

// State is how an endpoint is as far as it is known, without asking it.
type State struct {
	Info    Info      // what its server said last
	Asked   time.Time // when; zero for never, or where it said nothing
	Resting time.Duration
	Because error // why it rests, or what it said when it was asked
	Busy    int   // requests under way
	Slots   int   // at once; 0 is not known yet
}

// State tells how the endpoint is.
func (g *Limiter) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := State{Info: g.info, Asked: g.asked, Because: g.infoErr, Busy: len(g.slots), Slots: cap(g.slots)}
	if left := g.rest.Sub(g.now()); left > 0 {
		s.Resting, s.Because = left, g.because
	}
	return s
}
