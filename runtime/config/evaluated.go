package config

// wireEmbedded is the form in which the evaluated embedded files are stored.
type wireEmbedded struct {
	_       struct{} `cbor:",toarray"`
	Key     string
	Known   []string
	Config  *shape
	Shipped *wireSource
}

// encode writes what evaluate found, for decode. Diagnostics are left out: shipped files have none.
func (e *embedded) encode() ([]byte, error) {
	w := newWireWriter(e.shipped)
	s := w.convertSource(&Source{tree: e.tree, files: e.shipped, places: map[side]map[string]place{shipped: e.places}})
	if w.err != nil || len(w.files) > len(e.shipped) {
		return nil, errWire
	}
	return wireEncoding.Marshal(wireEmbedded{Key: e.key, Known: e.known, Config: e.config, Shipped: s})
}

// decode reads the output of encode in place of evaluate. It returns false if the data was made
// from other files, or is damaged.
func (e *embedded) decode(data []byte) bool {
	var w wireEmbedded
	if wireDecoding.Unmarshal(data, &w) != nil || w.Key != e.key || w.Config == nil || w.Shipped == nil {
		return false
	}
	s, err := w.Shipped.readSource(e.shipped)
	if err != nil {
		return false
	}
	e.known, e.config, e.tree, e.places = w.Known, w.Config, s.tree, s.places[shipped]
	return true
}

// MarshalCBOR encodes a default of a shape, which is written in no file.
func (n *node) MarshalCBOR() ([]byte, error) {
	w := newWireWriter(nil)
	out := w.convertNode(n, nil)
	if w.err != nil || len(w.files) > 0 {
		return nil, errWire
	}
	return wireEncoding.Marshal(out)
}

// UnmarshalCBOR decodes what MarshalCBOR encodes.
func (n *node) UnmarshalCBOR(data []byte) error {
	var w wireNode
	if err := wireDecoding.Unmarshal(data, &w); err != nil {
		return err
	}
	var r wireReader
	if *n = *r.readNode(&w); r.bad {
		return errWire
	}
	return nil
}
