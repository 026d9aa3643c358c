package schema

// WithDefaults returns an object with the schema's defaults for members that are
// missing or null. It does not modify the input; a nil schema has no defaults.
func (s *Schema) WithDefaults(input map[string]any) map[string]any {
	out := make(map[string]any, len(input)+2)
	if s != nil {
		for _, f := range s.Fields {
			if f.Schema.Default != nil {
				out[f.Name] = f.Schema.Default
			}
		}
	}
	for k, v := range input {
		if v != nil {
			out[k] = v
		}
	}
	return out
}
