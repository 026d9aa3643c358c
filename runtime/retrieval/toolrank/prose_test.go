package toolrank

import (
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

func TestProse(t *testing.T) {
	for text, want := range map[string][3]string{
		"Lists the boats of a harbour. Sorted by length.":                               {"Lists the boats of a harbour.", " Sorted by length.", ""},
		"Lists the boats of a harbour.\n```json\n{\"name\": \"moor\"}\n```\nBy length.": {"Lists the boats of a harbour.", "\nBy length.", ""},
		"Lists the boats of a harbour. Do not use it for trains. By length.":            {"Lists the boats of a harbour.", " By length.", ""},
		"Moors a boat in a harbour.\n**Not recommended for:** trains.\nNote: slowly.":   {"Moors a boat in a harbour.", "\n slowly.", ""},
		"Harbour | Moor a boat\nError Responses:\n404: no such harbour":                 {"Harbour | Moor a boat", "", ""},
		"": {"", "", ""},
	} {
		lead, body, rest := splitProse(text)
		if got := [3]string{lead, body, rest}; got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestNamesOfOtherToolsAreNotReadAsWords(t *testing.T) {
	known := map[string]bool{"moor_boat": true, "list_trains": true}
	if got, want := stripToolNames("Moors a boat; see list_trains, or moor_boat.", "moor_boat", known), "Moors a boat; see , or moor_boat."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSayings: an expression leads to the words that tools have for it, also
// where its particle stands apart, and a kind to its members only one way.
func TestSayings(t *testing.T) {
	docs := []Doc{{Name: "delete_file", Description: "Removes it."}, {Name: "disable_alarm", Description: "Silences it."},
		{Name: "count_rows", Description: "The number of rows."}, {Name: "plot_rows", Description: "Rows as a picture."}}
	for query, want := range map[string]string{
		"throw my old file away":  "delete_file",
		"turn that alarm off":     "disable_alarm",
		"how many rows are there": "count_rows",
	} {
		if got := names(docs, New(docs).Search(query, Options{})); len(got) == 0 || got[0] != want {
			t.Errorf("%q gives %v, want %s first", query, got, want)
		}
	}
}

func TestFormsOfAWordAreOne(t *testing.T) {
	for form, base := range map[string]string{"wrote": "write", "sent": "sending", "mice": "mouse", "found": "finds"} {
		if words.Root(form) != words.Root(base) {
			t.Errorf("%s is %s, %s is %s", form, words.Root(form), base, words.Root(base))
		}
	}
}

// TestEachPartOfARequestFindsItsTool though one part has many words in common
// with several tools.
func TestEachPartOfARequestFindsItsTool(t *testing.T) {
	docs := []Doc{{Name: "list_boats", Server: "harbour", Description: "Boats of a harbour by length."}, {Name: "paint_boat", Server: "harbour", Description: "Paints boats of a harbour."},
		{Name: "sell_boat", Server: "harbour", Description: "Sells boats of a harbour."}, {Name: "moor_boat", Server: "harbour", Description: "Moors boats of a harbour."},
		{Name: "ring_bell", Server: "church", Description: "Rings it."}, {Name: "toast_bread", Server: "kitchen", Description: "Toasts it."}}
	r := New(docs).Search("list the long boats of the harbour, ring the bell and then toast some bread", Options{Limit: 3})
	got := names(docs, r)
	slices.Sort(got)
	if !slices.Equal(got, []string{"list_boats", "ring_bell", "toast_bread"}) {
		t.Errorf("the parts find %v", got)
	}
}
