package library

import "context"

// Load reads the index of the published version into memory.
func (l *Library) Load(ctx context.Context) error {
	return l.view(ctx, func(View, *loaded) error { return nil })
}

// Loaded reports whether an index is in memory, of whatever version.
func (l *Library) Loaded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loaded != nil
}

// Warm reports whether the index of the published version is in memory, without reading it. It
// returns ErrEmpty if no version is published.
func (l *Library) Warm(ctx context.Context) (warm bool, err error) {
	err = l.shelf.View(ctx, func(v View) error {
		if v.Version() == "" {
			return ErrEmpty
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		warm = l.loaded != nil && l.loaded.version == v.Version()
		return nil
	})
	return warm, err
}
