package source

import "testing"

func TestParsePlace(t *testing.T) {
	tests := []struct {
		in, path string
		from, to int
	}{
		{"a.go", "a.go", 0, 0},
		{"a.go:3", "a.go", 3, 0},
		{"a.go:3:9", "a.go", 3, 0},
		{"a.go:3-9", "a.go", 3, 9},
		{"a.go#L3", "a.go", 3, 0},
		{"a.go#L3-L9", "a.go", 3, 9},
		{"a-b.go", "a-b.go", 0, 0},
		{"a.go:x-y", "a.go:x-y", 0, 0},
		{"a.go:0", "a.go:0", 0, 0},
		{"a.go#Lx", "a.go#Lx", 0, 0},
		{":3", ":3", 0, 0},
	}
	for _, tt := range tests {
		if path, from, to := ParsePlace(tt.in); path != tt.path || from != tt.from || to != tt.to {
			t.Errorf("ParsePlace(%q) = %q, %d, %d", tt.in, path, from, to)
		}
	}
}
