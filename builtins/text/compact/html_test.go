package compact

import "testing"

// TestTextOfHTML reads small pages.
func TestTextOfHTML(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"<p>one\n two</p><P>three", "one two\nthree"},
		{"a\u00a0b<b> c</b>d\u2003e", "a b cd e"},
		{"<h2 class=x>Head</h2>text<script>no()</script> on", "## Head\ntext on"},
		{"<A HREF=\"/x?a=1&amp;b=2\">go</A>!", "go (/x?a=1&b=2) !"},
		{"<a href=\"#top\">up</a> <a href=\"\">here</a>", "up here"},
		{"<tr><td>1<td>2</tr><img alt='a cat'><input name=q value=w>", "1 | 2\na cat name=q value=w"},
		{"a < b <blockquoteblockquote>c</", "a < b c</"},
	} {
		if got := textOfHTML(c.page); got != c.want {
			t.Errorf("%q: %q, want %q", c.page, got, c.want)
		}
	}
}
