package toolrank

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shelf is a small catalog of tools of several servers.
var shelf = []Doc{
	{Name: "create_ticket", Server: "desk", Description: "Open a ticket in the help desk.", Params: []Param{{Name: "summary"}, {Name: "urgency", Enum: []string{"low", "critical"}}}},
	{Name: "delete_ticket", Server: "desk", Description: "Erase a ticket for good."},
	{Name: "list_tickets", Server: "desk", Description: "Show the tickets of a queue."},
	{Name: "getForecast", Server: "sky", Description: "The weather of the next days at a place.", Params: []Param{{Name: "city", Description: "Name of the town"}}},
	{Name: "convert_currency", Server: "money", Description: "Exchange an amount between two currencies."},
	{Name: "GitHubSearch", Server: "forge", Description: "Looks through public repositories."},
	{Name: "merge_pull_request", Server: "forge", Description: "Merges the changes of a branch."},
	{Name: "play_song", Server: "tunes", Description: "Starts a song on the speaker."},
	{Name: "x17", Server: "plant", Description: "Runs the press.", Keywords: []string{"hydraulic", "stamping"}},
}

func names(docs []Doc, r Result) []string {
	out := []string{}
	for _, h := range r.Hits {
		out = append(out, docs[h.Doc].Name)
	}
	return out
}

func TestFirstHit(t *testing.T) {
	ix := New(shelf)
	for query, want := range map[string]string{
		"create ticket":                        "create_ticket",
		"createTicket":                         "create_ticket",
		"remove a ticket":                      "delete_ticket",
		"I would like to add a new ticket":     "create_ticket",
		"will it rain in the town tomorrow":    "getForecast",
		"how many euros is one dollar":         "convert_currency",
		"github":                               "GitHubSearch",
		"pull request":                         "merge_pull_request",
		"listen to music":                      "play_song",
		"stamping":                             "x17",
		"a critical one":                       "create_ticket",
		"Could you open tickets, please?":      "create_ticket",
		"show me everything in the desk queue": "list_tickets",
		"forcast":                              "getForecast",
	} {
		if got := names(shelf, ix.Search(query, Options{})); len(got) == 0 || got[0] != want {
			t.Errorf("%q gives %v, want %s first", query, got, want)
		}
	}
}

func TestEmptyQueryFitsNothing(t *testing.T) {
	for _, query := range []string{"", " \n", "?!", "the of and", "\xff\xfe"} {
		if r := New(shelf).Search(query, Options{}); !r.Nothing || len(r.Hits) > 0 {
			t.Errorf("%q gives %+v", query, r)
		}
	}
	if r := New(nil).Search("anything", Options{}); !r.Nothing {
		t.Errorf("no tools give %+v", r)
	}
}

func TestWhyNamesWordAndPlace(t *testing.T) {
	ix := New(shelf)
	for query, want := range map[string]string{
		"ticket":   "ticket (name)",
		"stamping": "stamping (keyword)",
		"urgency":  "urgency (parameter)",
		"critical": "critical (value)",
		"remove":   "remove ~ delete (synonym)",
		"forcast":  "forcast ~ forecast (spelling)",
		"public":   "public (description)",
	} {
		r := ix.Search(query, Options{})
		if len(r.Hits) == 0 || !slices.Contains(r.Hits[0].Why, want) {
			t.Errorf("%q gives %+v, want the reason %q", query, r.Hits, want)
		}
	}
}

func TestKeepAndLimit(t *testing.T) {
	ix := New(shelf)
	got := names(shelf, ix.Search("ticket", Options{Keep: func(i int) bool { return i != 0 }}))
	if slices.Contains(got, "create_ticket") || len(got) == 0 {
		t.Errorf("a document that is not kept: %v", got)
	}
	if got := ix.Search("ticket", Options{Limit: 2}).Hits; len(got) != 2 {
		t.Errorf("limit 2 gives %d hits", len(got))
	}
}

func TestUsesDecideBetweenEqualTools(t *testing.T) {
	docs := []Doc{{Name: "q_mail", Description: "Sends mail."}, {Name: "z_mail", Description: "Sends mail."}, {Name: "calendar"}}
	r := New(docs).Search("mail", Options{Uses: func(i int) int { return i * 10 }})
	if got := names(docs, r); got[0] != "z_mail" {
		t.Errorf("the used tool is not first: %v", got)
	}
	r = New(docs).Search("calendar", Options{Uses: func(i int) int { return []int{1000, 1000, 0}[i] }})
	if got := names(docs, r); got[0] != "calendar" {
		t.Errorf("use outweighs the words: %v", got)
	}
}

func TestUnrelatedToolsKeepTheWinner(t *testing.T) {
	ix := New(shelf)
	more := slices.Clone(shelf)
	for _, w := range strings.Fields("paint harvest knit sail juggle whistle forge solder") {
		more = append(more, Doc{Name: w + "_wool", Server: "craft", Description: "Lets a robot " + w + "."})
	}
	wide := New(more)
	for _, query := range []string{"create ticket", "remove a ticket", "weather", "exchange dollars", "merge a branch"} {
		a, b := ix.Search(query, Options{}), wide.Search(query, Options{})
		if a.Hits[0].Doc != b.Hits[0].Doc {
			t.Errorf("%q: %s, among more tools %s", query, shelf[a.Hits[0].Doc].Name, more[b.Hits[0].Doc].Name)
		}
	}
}

func FuzzSearch(f *testing.F) {
	ix := New(shelf)
	for _, s := range []string{"create ticket", "天气预报", "\xff", "a'b’c", "HTTPServer2XML", strings.Repeat("long text ", 4000), "é́́"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		a, b := ix.Search(query, Options{}), ix.Search(query, Options{})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("two answers: %+v, %+v", a, b)
		}
		if a.Nothing != (len(a.Hits) == 0) {
			t.Fatalf("nothing is %v with %d hits", a.Nothing, len(a.Hits))
		}
		if !(a.Confidence >= 0 && a.Confidence <= 1) || a.Unsure && (a.Nothing || len(a.Missed) == 0) {
			t.Fatalf("confidence %v, unsure %v, nothing %v, missed %q", a.Confidence, a.Unsure, a.Nothing, a.Missed)
		}
		last := 1.0
		for _, h := range a.Hits {
			if !(h.Score >= 0 && h.Score <= last) || len(h.Why) == 0 {
				t.Fatalf("hit %+v after a score of %v", h, last)
			}
			last = h.Score
		}
	})
}

func TestNothingFits(t *testing.T) {
	ix := New(shelf)
	r := ix.Search("prescribe antibiotics against pneumonia", Options{})
	if !r.Nothing || !slices.Contains(r.Missed, "antibiotics") || !slices.Contains(r.Missed, "pneumonia") {
		t.Errorf("no tool is a doctor: %+v", r)
	}
	r = ix.Search("photosynthesis of magnesium chlorophyll isotopes beyond Neptunian archipelagos with critical supervision", Options{})
	if !r.Nothing || !reflect.DeepEqual(r.Near, []string{"desk"}) || slices.Contains(r.Missed, "critical") {
		t.Errorf("one chance word in a long query: %+v", r)
	}
}

// TestOneServerOnly: a word that all tools hold is rare nowhere, yet it is an
// answer.
func TestOneServerOnly(t *testing.T) {
	docs := []Doc{{Name: "ticket_open"}, {Name: "ticket_close"}, {Name: "ticket_list"}}
	ix := New(docs)
	if r := ix.Search("ticket", Options{}); len(r.Hits) != 3 {
		t.Errorf("ticket gives %+v", r)
	}
	if got := names(docs, ix.Search("close that ticket", Options{})); got[0] != "ticket_close" {
		t.Errorf("close gives %v", got)
	}
}

func TestValuesChooseTheToolThatTakesThem(t *testing.T) {
	docs := []Doc{
		{Name: "weather_red", Description: "The weather of a town.", Params: []Param{{Name: "city"}}},
		{Name: "weather_tan", Description: "The weather of a town.", Params: []Param{{Name: "city"}, {Name: "date"}}},
		{Name: "weather_teal", Description: "The weather of a town.", Params: []Param{{Name: "latitude", Required: true}, {Name: "longitude", Required: true}}},
	}
	for query, want := range map[string]string{
		"weather in Lyon":            "weather_red",
		"weather in Lyon on 3 March": "weather_tan",
		"weather in Lyon 2030-01-31": "weather_tan",
		"weather at 45.7640, 4.8357": "weather_teal",
	} {
		if got := names(docs, New(docs).Search(query, Options{})); len(got) == 0 || got[0] != want {
			t.Errorf("%q gives %v, want %s", query, got, want)
		}
	}
}

func TestTwoWishesFindBothTools(t *testing.T) {
	docs := slices.Clone(shelf)
	for _, w := range strings.Fields("weekly hourly coastal alpine marine") {
		docs = append(docs, Doc{Name: w + "_forecast", Server: "sky", Description: "The weather forecast, " + w + "."})
	}
	got := names(docs, New(docs).Search("What is the weather forecast? And play a song.", Options{Limit: 3}))
	if !slices.Contains(got, "play_song") {
		t.Errorf("the second wish is lost: %v", got)
	}
}

func TestOtherLanguages(t *testing.T) {
	ix := New(shelf)
	for query, want := range map[string]string{
		"明天的天气怎么样":             "getForecast",
		"Wie wird das Wetter?": "getForecast",
		"supprimer un ticket":  "delete_ticket",
		"включи песню":         "play_song",
		"오늘 날씨 어때요":            "getForecast",
		"明日の天気予報を教えてくださいませんか":  "getForecast",
		"我想知道上海目前的天气状况，可以告诉我吗？顺便使用摄氏度。": "getForecast",
		"新しいチケットを作成して":                  "create_ticket",
	} {
		if got := names(shelf, ix.Search(query, Options{})); len(got) == 0 || got[0] != want {
			t.Errorf("%q gives %v, want %s first", query, got, want)
		}
	}
}

// TestTheActionAskedForComesFirst: of tools on one thing, the one that does
// what is asked for.
func TestTheActionAskedForComesFirst(t *testing.T) {
	docs := []Doc{{Name: "buy_film", Description: "Films."}, {Name: "play_film", Description: "Films."},
		{Name: "find_film", Description: "Films."}, {Name: "rate_song", Description: "Songs."}}
	for query, want := range map[string]string{
		"what films are there": "find_film", "watch a film": "play_film", "pay for a film": "buy_film",
	} {
		if got := names(docs, New(docs).Search(query, Options{})); len(got) == 0 || got[0] != want {
			t.Errorf("%q gives %v, want %s first", query, got, want)
		}
	}
}
