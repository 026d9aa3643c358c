package upstream

import (
	"sync"
	"time"
)

// inTurn connects when it is this start's turn, in the given era if one is wanted; its time runs from then. A server
// reached over the network costs no local work and needs no turn.
func (s *Server) inTurn(st *start, era string) (*conn, error) {
	if s.spec.Kind != Stdio {
		s.noteBegin()
		return s.connect(era)
	}
	s.mu.Lock()
	st.turn = s.opt.Starts.enter(s.wanted > 0)
	s.mu.Unlock()
	defer st.turn.leave()
	select {
	case <-st.turn.ready:
	case <-s.ctx.Done():
		return nil, errServerClosed
	}
	s.noteBegin()
	if s.opt.Starts != nil {
		over := make(chan struct{})
		defer close(over)
		s.work.Go(func() { st.turn.watch(over, s.bootingProgram, s.spec.StartTime/2) })
	}
	return s.connect(era)
}

func (s *Server) noteBegin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began, s.program = time.Now(), nil
}

// Began returns when the last start began; zero before the first.
func (s *Server) Began() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began
}

// bootingProgram returns the program of the start under way, nil before there is one.
func (s *Server) bootingProgram() Program {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.program
}

// Wanted marks the server as waited for until done is called: its start goes before those that no caller waits for.
func (s *Server) Wanted() (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted++
	if s.starting != nil && s.starting.turn != nil {
		s.starting.turn.hurry()
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.wanted--
	})
}
