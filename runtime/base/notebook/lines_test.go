package notebook

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"as Jupyter writes it", `{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# Heat\n",
    "of a wall"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [
    {
     "data": {
      "image/png": "iVBORw0KGgo=",
      "text/plain": [
       "[1, 2]"
      ]
     }
    }
   ],
   "source": [
    "if a \u003c 1:\n",
    "    print(\"<\\n\")"
   ]
  }
 ]
}
`, "# notebook: python\r" + `




#' # Heat
#' of a wall









#> [1, 2]





if a < 1:
    print("<\n")




`},
		{"a cell as one string", `{"cells": [
{"cell_type": "code", "source": "a = 1\n\nb = 2\n"}]}`, "# notebook: python\r\na = 1\r\rb = 2"},
		{"all on one line", `{"cells": [{"cell_type": "code", "source": ["a = 1\n", "b"]}, {"cell_type": "raw", "source": "c\nd"}]}`,
			"# notebook: python\r\ra = 1\rb\r#' c\r#' d"},
		{"the cell's type behind its source", `{"cells": [{"source": "a", "cell_type": "markdown"}]}`, "# notebook: python\r\r#' a"},
		{"another language", `{"cells": [{"cell_type": "code", "source": "a <- 1"}], "metadata": {"kernelspec": {"language": "R"}}}`,
			"# notebook: r\r\ra <- 1"},
		{"comments of another language", `{"cells": [{"cell_type": "markdown", "source": "a"}], "metadata": {"language_info": {"name": "Rust"}}}`,
			"// notebook: rust\r\r//' a"},
		{"cells in other languages", `{"cells": [{"cell_type": "code", "source": "%%bash\nls"}, {"cell_type": "code", "source": "%%time\na"},
{"cell_type": "code", "metadata": {"vscode": {"languageId": "sql"}}, "source": "select 1"}], "metadata": {"language_info": {"name": "python"}}}`,
			"# notebook: python\r\r# %%bash\r# ls\r%%time\ra\n# select 1"},
		{"version 3", `{"worksheets": [{"cells": [
{"cell_type": "heading", "level": 2, "source": ["A"]},
{"cell_type": "code", "language": "python", "input": ["b\n"], "outputs": [{"output_type": "stream", "text": ["c\n"]}]}]}]}`,
			"# notebook: python\r\n#' # A\nb\r#> c"},
		{"an error", `{"cells": [{"cell_type": "code", "source": "", "outputs": [{"ename": "KeyError", "evalue": "'a'", "traceback": ["…"]}]}]}`,
			"# notebook: python\r\r#> KeyError: 'a'"},
		{"carriage returns and zeros", `{"cells": [{"cell_type": "code", "source": "a\r\nb\rc\u0000"}]}`, "# notebook: python\r\ra\rb\rc\uFFFD"},
		{"no cells", `{"cells": []}`, "# notebook: python\r"},
		{"a name that is none", `{"cells": [], "metadata": {"language_info": {"name": "a\nb"}}}`, "# notebook: python\r"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Lines([]byte(c.in))
			if diff := cmp.Diff(c.want, string(got)); diff != "" || !ok {
				t.Errorf("ok %v, -want +got:\n%s", ok, diff)
			}
		})
	}
}

func TestLinesOfOtherFiles(t *testing.T) {
	for _, in := range []string{"", "null", "[]", "{}", `{"cells": 1}`, `{"cells": [`, `{"cells": []} x`,
		`{"cells": [], "worksheets": []}`, "def f(): pass", strings.Repeat("[", 20000)} {
		if got, ok := Lines([]byte(in)); ok {
			t.Errorf("%.40q is a notebook: %q", in, got)
		}
	}
}

// TestLinesBoundsOutput keeps the beginning of a long output, and the line numbers behind it.
func TestLinesBoundsOutput(t *testing.T) {
	in := `{"cells": [{"cell_type": "code", "outputs": [{"text": [` + strings.Repeat("\"ä line\\n\",\n", 5000) + `"z"]}], "source": "a"}]}`
	got, ok := Lines([]byte(in))
	if !ok || len(got) > 2*maxOutput+5000 || !bytes.HasSuffix(got, []byte("\na")) || bytes.Count(got, []byte("\n")) != 5000 || !bytes.Contains(got, []byte("#> ä line\n")) {
		t.Errorf("%v, %d bytes: %.60q … %q", ok, len(got), got, got[max(0, len(got)-20):])
	}
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{"# notebook: python\r\nx": "python", "// notebook: c++\rx": "c++", "-- notebook: sql": "sql", "# a notebook: r": "", "": "", "x\n# notebook: r": ""} {
		if got := Language([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzLines keeps the lines of a file, whatever it holds, and returns text.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"cells": [{"cell_type": "code", "source": ["a\n", "b"], "outputs": [{"text": "c"}], "metadata": {"language": "r"}}]}`))
	f.Add([]byte(`{"worksheets": [{"cells": [{"input": "a\r\n"}]}], "": {"": []}, "cells": null}`))
	f.Add([]byte(`{"cells": [{}], "Cells": [{"source": "a"}], "cells": [{"source": ["b", "c"]}, {}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := Lines(data)
		switch {
		case !ok:
		case bytes.Count(got, []byte("\n")) > bytes.Count(data, []byte("\n")):
			t.Errorf("%d lines of %d", bytes.Count(got, []byte("\n")), bytes.Count(data, []byte("\n")))
		case bytes.IndexByte(got, 0) >= 0, Language(got) == "":
			t.Errorf("%q", got)
		case len(got) > 4*len(data)+100:
			t.Errorf("%d bytes of %d", len(got), len(data))
		}
	})
}
