package rank

import "testing"

// TestAskedNames asks for definitions whose names are everyday words.
func TestAskedNames(t *testing.T) {
	for question, want := range map[string]string{
		"where is Get defined?": "Get", "where is Client.Do defined?": "Do", "What does Do do?": "Do", "where is the About component?": "About", "where is class Other?": "Other",
		"where is store.Now?": "Now", "where is this defined?": "", "what is it?": "", "where are Up and down told apart?": "",
	} {
		got := ""
		for _, id := range Parse(question).Idents {
			got = id.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// TestMakes tells names of constructors from names that only begin alike.
func TestMakes(t *testing.T) {
	for name, want := range map[string]bool{
		"NewPool": true, "new": true, "init_pool": true, "buildAll": true, "make2": true,
		"newline": false, "maker": false, "initial": false, "created": false, "renew": false, "": false,
	} {
		if makes(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
