package metrics

// Bounds of labels.
const (
	maxNames = 200 // values of one label
	longName = 128 // bytes of one
	other    = "other"
)

// names are the values that a label has by now.
type names struct{ seen map[string]bool }

// name is a text as the value of a label: itself while there is room, else other.
func (s *Sink) name(label, text string) string {
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
