package coderank

import "testing"

// report is a bug report as people file them.
const report = `Retry loses the delay

### Steps to reproduce
import shop.config
from shop.models import Basket

` + "```python\nfrom shop.web import serve\nbasket_total = make_basket()\n```" + `

Traceback (most recent call last):
  File "/srv/shop/__init__.py", line 3, in <module>
  File "/srv/shop/retry.py", line 88, in wait_for
    sleep(delay)
ValueError: negative delay

It worked with shop.queue before, see settings.yaml.
`

func namedIn(t *testing.T, q *Query, path string) Named {
	t.Helper()
	for _, n := range q.Named {
		if n.Path == path {
			return n
		}
	}
	t.Fatalf("%q is not named in %+v", path, q.Named)
	return Named{}
}

func TestReportMentions(t *testing.T) {
	q := Parse(report)
	for path, want := range map[string]float64{"shop.config": trustImported, "shop.models": trustImported, "shop.web": trustImported,
		"shop.queue": 1, "/srv/shop/__init__.py": trustInit, "/srv/shop/retry.py": 1, "settings.yaml": trustOther} {
		if got := namedIn(t, q, path).trustFactor(q.Intent); got != want {
			t.Errorf("%s is trusted by %v, want %v", path, got, want)
		}
	}
	if f := namedIn(t, q, "/srv/shop/retry.py"); f.Func != "wait_for" || f.Line != 88 {
		t.Errorf("frame %+v", f)
	}
	if n := namedIn(t, Parse("import shop.config is slow"), "shop.config"); n.Imported {
		t.Error("a title is no import")
	}
}

func TestPastedNames(t *testing.T) {
	q := Parse(report)
	for _, id := range q.Idents {
		if want := id.Text != "basket_total" && id.Text != "make_basket"; id.Text[0] == 'b' && id.Said != want {
			t.Errorf("%s said %v", id.Text, id.Said)
		}
	}
	if !Parse("where is basket_total").Idents[0].Said {
		t.Error("a name of the question is said")
	}
}
