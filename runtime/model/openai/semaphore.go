package openai

import "context"

// semaphore admits one caller at a time; waiting callers can give up.
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
