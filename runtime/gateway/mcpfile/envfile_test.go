package mcpfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvLines(t *testing.T) {
	got, bad := EnvLines([]byte("\ufeff# c\nA=1\r\nexport B = two words \nC='#x'\nD=\"a\\nb\"\nnot a line\nE=\nF=a=b#c\n2X=1\n"))
	want := map[string]string{"A": "1", "B": "two words", "C": "#x", "D": "a\nb", "E": "", "F": "a=b#c"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{6, 9}, bad); d != "" {
		t.Error(d)
	}
}

func TestAppendEnv(t *testing.T) {
	old := "# mine\nA=1"
	got := AppendEnv([]byte(old), map[string]string{"A": "2", "B": "x y", "C": "line\nline", "D": ""}, map[string]string{"D": "Your\nkey"})
	want := "# mine\nA=1\nB=x y\nC=\"line\\nline\"\n# Your key\n# D=\n"
	if string(got) != want {
		t.Errorf("%q", got)
	}
	again := AppendEnv(got, map[string]string{"B": "z", "D": ""}, nil)
	if d := cmp.Diff(string(got), string(again)); d != "" {
		t.Error(d)
	}
}

func FuzzEnv(f *testing.F) {
	f.Add("x")
	f.Add(" \"a'\n")
	f.Fuzz(func(t *testing.T, value string) {
		if value == "" || string([]rune(value)) != value {
			return
		}
		got, bad := EnvLines(AppendEnv(nil, map[string]string{"A": value}, nil))
		if len(bad) > 0 || got["A"] != value {
			t.Errorf("%q came back as %q", value, got["A"])
		}
	})
}
