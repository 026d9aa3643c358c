package model

import "time"

// State is the known state of an endpoint, without asking it.
type State struct {
	Info    Info      // the server's last report
	Asked   time.Time // when it was fetched; zero for never, or after an error
	Resting time.Duration
	Because error // why it rests, or the error of the last fetch
	Busy    int   // requests in progress
	Slots   int   // concurrent requests; 0 means not known yet
}

// State returns the known state of the endpoint.
func (g *Limiter) State() State {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := State{Info: g.info, Asked: g.asked, Because: g.infoErr, Busy: len(g.slots), Slots: cap(g.slots)}
	if left := g.rest.Sub(g.now()); left > 0 {
		s.Resting, s.Because = left, g.because
	}
	return s
}
