package engine

// Load describes how much of a pool is in use.
type Load struct{ Workers, Busy, Queue, Inside int }

// Load reports how much of the engine's pool is in use at this moment.
func (e *Engine) Load() Load {
	p := e.pool
	return Load{Workers: p.workers, Busy: len(p.slots), Queue: int(p.room) - p.workers, Inside: int(p.inside.Load())}
}
