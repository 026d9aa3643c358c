package catalog

import "sync"

// Memo holds what the builtins of one request leave for later ones, so that a tree is
// walked and read once. It lives as long as the request; nothing in it may change an
// answer. A nil Memo keeps nothing.
type Memo struct {
	mu   sync.Mutex
	kept map[any]any
}

// Put keeps v under key, which must be of a type of the caller's own package, as with
// context.WithValue. v must not be changed afterwards.
func (m *Memo) Put(key, v any) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[any]any{}
	}
	m.kept[key] = v
}

// Get returns the value kept under key, or nil.
func (m *Memo) Get(key any) any {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[key]
}
