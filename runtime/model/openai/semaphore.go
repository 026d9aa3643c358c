package openai

import "context"

// semaphore lets one through at a time, and lets those who wait give up.
type semaphore chan struct{}

func newSemaphore() semaphore { return make(semaphore, 1) }

func (g semaphore) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g semaphore) leave() { <-g }
