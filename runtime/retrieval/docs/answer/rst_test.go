package answer

import (
	"strings"
	"testing"
)

const manual = `.. _workers:

Workers
~~~~~~~

.. contents:: :local:

.. module:: app.worker
   :synopsis: Workers.

A worker is a program that takes tasks from a queue::

   worker = Worker(queue)

   worker.start()

.. note:: A worker without a queue ends at once.

   It says so in its log.

.. code-block:: python
   :linenos:

   worker.stop()

.. function:: start(queue)
   :async:

   Starts a worker for a queue.

   It returns when the worker has ended.

.. versionadded:: 2.3

.. glossary::

    acknowledged
        Workers acknowledge messages when they have been handled.

        Others are sent again.

    chord
        A group of tasks with a callback.

.. automodule:: app.worker
   :members:

.. class:: Pool

   .. index:: pool

   A pool keeps connections.

   >>> Pool(2)
   <Pool 2>

   .. method:: close(wait)

      Closes it::

         pool.close()

      Nothing is lost.

      :param wait: How long
          it may take.

.. and a comment

.. [1] A footnote says more.

#######
 Parts
#######

Limits
^^^^^^

There is none.
`

// TestReStructuredText splits a page of reStructuredText.
func TestReStructuredText(t *testing.T) {
	var b strings.Builder
	for _, u := range Units([]Passage{{Text: manual, End: len(manual)}}) {
		b.WriteString(u.Kind + " | " + u.Heading + " | " + strings.Join(strings.Fields(u.Quote), " ") + "\n")
	}
	const want = `heading |  | Workers
sentence | Workers | A worker is a program that takes tasks from a queue::
code | Workers | worker = Worker(queue) worker.start()
sentence | Workers | A worker without a queue ends at once.
sentence | Workers | It says so in its log.
code | Workers | worker.stop()
heading | Workers | start(queue)
sentence | start(queue) | Starts a worker for a queue.
sentence | start(queue) | It returns when the worker has ended.
heading | Workers | acknowledged
sentence | acknowledged | Workers acknowledge messages when they have been handled.
sentence | acknowledged | Others are sent again.
heading | Workers | chord
sentence | chord | A group of tasks with a callback.
heading | Workers | Pool
sentence | Pool | A pool keeps connections.
code | Pool | >>> Pool(2) <Pool 2>
heading | Pool | close(wait)
sentence | close(wait) | Closes it::
code | close(wait) | pool.close()
sentence | close(wait) | Nothing is lost.
sentence | close(wait) | :param wait: How long it may take.
sentence | Workers | A footnote says more.
heading | Workers | Parts
heading | Parts | Limits
sentence | Limits | There is none.
`
	if got := b.String(); got != want {
		t.Errorf("the units are\n%s\nwant\n%s", got, want)
	}
}

// TestPartsOfReStructuredText splits passages whose names say what they are.
func TestPartsOfReStructuredText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"    Returns the object.\n\n    .. method:: save()\n\n        Saves it.\n", "sentence Returns the object.; heading save(); sentence Saves it."},
		{"1. Introduction\n~~~~~~~~~~~~~~~\n\nText.\n", "heading 1. Introduction; sentence Text."},
		{"Installation\n~~~~~~~~~~~\n\nText.\n", "heading Installation; sentence Text."},
		{"1. Install it::\n\n      pip install celery\n\n   Then start it.\n", "item 1. Install it::; code pip install celery; sentence Then start it."},
		{"A playbook::\n\n    ---\n    - hosts: all\n", "sentence A playbook::; code --- - hosts: all"},
		{".. index:: worker\n\nworker\n    A program that takes tasks.\n", "heading worker; sentence A program that takes tasks."},
		{"Use it::", "sentence Use it::"},
		{".. note::", ""},
		{"..", ""},
		{"a\n::\n", "sentence a"},
	} {
		var list []string
		for _, u := range Units([]Passage{{URI: "docs/model.rst", Text: c.text, End: len(c.text)}}) {
			head, _, _ := strings.Cut(u.Quote, "\n~")
			list = append(list, u.Kind+" "+strings.Join(strings.Fields(head), " "))
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%q has\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// TestMarkdownStays splits Markdown that looks like reStructuredText in places.
func TestMarkdownStays(t *testing.T) {
	for text, want := range map[string]string{
		"Use:\n\n```\n.. note:: Be careful.\n```\n\nThe server keeps ten connections.\n": "sentence code sentence",
		"Run this:\n~~~\nmake\n~~~\n":               "sentence code",
		"Run:\n\n    make all\n":                    "sentence code",
		"One line of a paragraph\nand another.\n":   "sentence",
		"A paragraph.\n::: tip\nWith a tip.\n:::\n": "sentence sentence",
		"- an item\n  that goes on\n":               "item",
		"... and so on.\n":                          "sentence",
	} {
		var kinds []string
		for _, u := range Units([]Passage{{URI: "docs/guide.md", Text: text, End: len(text)}}) {
			kinds = append(kinds, u.Kind)
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("%q has %s, want %s", text, got, want)
		}
	}
}
