package pages

// Shown returns the result under an id, in any session. This does not extend its time.
func (k *Keeper) Shown(id string) (Kept, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	r, ok := k.kept.Peek(cleanID(id))
	if !ok {
		return Kept{}, false
	}
	return r.Kept, true
}
