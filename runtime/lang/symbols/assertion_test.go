package symbols

import "testing"

// TestConstAssertion has `as const` before an export without a semicolon between them.
func TestConstAssertion(t *testing.T) {
	src := "const x = { a: 1 } as const\nexport const y = 2\nconst z = ['a'] as const\nexport function f() {}\n"
	want := map[string]string{"x": "const x =", "y": "export const y = 2", "z": "const z = ['a'] as const", "f": "export function f()"}
	for _, d := range Scan("a.ts", []byte(src)) {
		sig, ok := want[d.Name]
		if d.Container != "" {
			continue
		}
		if !ok || sig != d.Signature {
			t.Errorf("%s %s: %q, want %q", d.Kind, d.Name, d.Signature, sig)
		}
		delete(want, d.Name)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
