package metrics

// Limits of labels.
const (
	maxNames = 200 // values per label
	longName = 128 // bytes per value
	other    = "other"
)

// names are the values that a label has so far.
type names struct{ seen map[string]bool }

// labelValue returns text as a label value: itself while there is room, otherwise other.
func (s *Sink) labelValue(label, text string) string {
	if len(text) > longName {
		return other
	}
	n := s.names[label]
	if n == nil {
		n = &names{map[string]bool{}}
		s.names[label] = n
	}
	if !n.seen[text] {
		if len(n.seen) >= maxNames {
			return other
		}
		n.seen[text] = true
	}
	return text
}
