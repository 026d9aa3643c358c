package sandbox

import (
	"context"
	"sync"
	"sync/atomic"
)

// core is an opened directory, shared by all roots that show it. It is closed when the last call that uses it has
// ended: if a descriptor were closed during a call, its number could be reused for another directory.
type core struct {
	tree  tree
	outer *outer

	mu     sync.Mutex
	users  int
	closed bool

	stuck atomic.Int32
}

// maxStuck limits the abandoned calls of one root that still wait for the file system.
const maxStuck = 16

func newCore(t tree, o *outer) *core { return &core{tree: t, outer: o} }

func (c *core) acquire() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	if c.stuck.Load() >= maxStuck {
		return ErrStalled
	}
	c.users++
	return nil
}

// hold adds a user while there already is at least one.
func (c *core) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
}

func (c *core) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users == 0 && c.closed {
		c.closeTrees()
	}
}

func (c *core) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	if c.users > 0 {
		return nil
	}
	return c.closeTrees()
}

func (c *core) closeTrees() error {
	if c.outer != nil {
		c.outer.tree.close()
	}
	return c.tree.close()
}

// awaitCall runs a call that may block in the kernel indefinitely (a network file system, FUSE) and abandons it when
// ctx ends. An abandoned call keeps running, so the caller must not use anything that it touches.
func awaitCall[T any](ctx context.Context, c *core, call func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, context.Cause(ctx)
	}
	if err := c.acquire(); err != nil {
		return none, err
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer c.release()
		value, err := call()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		c.stuck.Add(1)
		go func() {
			<-done
			c.stuck.Add(-1)
		}()
		return none, context.Cause(ctx)
	}
}
