package schema

// WithDefaults returns an object with the schema's defaults in place of what is
// missing or null. The input stays as it is; of a nil schema nothing is known.
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
