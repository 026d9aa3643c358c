package pages

// Shown is what any session has under an id. It stays as long as without the look.
func (k *Keeper) Shown(id string) (Kept, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	r, ok := k.kept.Peek(spelled(id))
	if !ok {
		return Kept{}, false
	}
	return r.Kept, true
}
