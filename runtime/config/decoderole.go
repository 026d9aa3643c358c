package config

func decodeRole(name string, n *node) Role {
	r := Role{Name: name, Purpose: n.get("purpose").text(), Prompt: n.get("prompt").text(), Task: n.get("task").text(),
		Ground: n.get("ground").text(), With: n.get("with").values(), Tools: n.get("tools").texts(), Roots: n.get("roots").texts(),
		Model: n.get("model").text(), Explore: n.get("explore").isTrue(), Recheck: n.get("recheck").isTrue(), Evidence: n.get("evidence").text(), Shorten: n.get("shorten").text(),
		Budget: n.get("budget").limits(), Bounds: map[string]Bound{}, Redaction: n.get("redaction").texts()}
	if in := n.get("input"); in != nil {
		r.Input = in.typ
	}
	if out := n.get("output"); out != nil {
		r.Output = out.typ
	}
	for _, f := range n.get("bounds").fieldsOrNone() {
		r.Bounds[f.name] = Bound{Most: f.value.number(), Entries: f.value.get("entries").number(), Each: f.value.get("each").number()}
	}
	for _, f := range n.get("verify").fieldsOrNone() {
		r.Verify = append(r.Verify, decodeCheck(f.name, f.value))
	}
	if f := n.get("fallback"); f != nil && f.kind == structNode {
		r.Fallback = &Fallback{Builtin: f.get("builtin").text(), With: f.get("with").values(), Value: f.get("value").toValue(),
			Error: f.get("error").text(), Message: f.get("message").text()}
	}
	return r
}

// decodeCheck reads a check; it may be written as just the outcome of a failure.
func decodeCheck(name string, n *node) Check {
	if n.kind == scalarNode {
		return Check{Name: name, Fail: n.text()}
	}
	return Check{Name: name, Fields: n.get("fields").texts(), Most: n.get("most").number(), Fail: n.get("fail").text()}
}
