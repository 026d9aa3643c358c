package dashboard

import (
	"net/http"
	"strings"
)

// configurationBody has the data of the configuration page.
type configurationBody struct {
	Configuration
	Query    string
	Own      bool // only settings that a person wrote
	Sections []section
	Shown    int
	Errors   int
}

// section has the settings below one name.
type section struct {
	Name string
	List []Setting
	Open bool
}

func (d *dash) serveConfiguration(w http.ResponseWriter, r *http.Request) {
	b := configurationBody{Configuration: d.opt.Source.Configuration(r.Context()), Query: cutText(r.FormValue("q"), maxQuery), Own: r.FormValue("own") != ""}
	for i := range b.Problems {
		p := &b.Problems[i]
		p.Place, p.Path, p.Message, p.Help = d.safeLine(p.Place, 300), d.safeLine(p.Path, 300), d.safeLine(p.Message, 600), d.safeLine(p.Help, 600)
		if p.Error {
			b.Errors++
		}
	}
	b.Refused, b.Allow, b.Err = d.safeLine(b.Refused, 600), d.safeLine(b.Allow, 300), d.safeLine(b.Err, 600)
	for i := range b.Held {
		b.Held[i] = d.safeLine(b.Held[i], shortText)
	}
	for _, s := range b.Settings {
		if b.Own && !s.Own || !containsQuery(b.Query, s.Path, s.Value, s.From) {
			continue
		}
		// Values have been masked by name.
		s.Path, s.Value, s.From = d.safeLine(s.Path, 300), d.safeLine(s.Value, 400), d.safeLine(s.From, 300)
		name, _, _ := strings.Cut(s.Path, ".")
		if n := len(b.Sections); n == 0 || b.Sections[n-1].Name != name {
			b.Sections = append(b.Sections, section{Name: name, Open: b.Query != "" || b.Own})
		}
		last := &b.Sections[len(b.Sections)-1]
		last.List = append(last.List, s)
		b.Shown++
	}
	b.Settings = nil
	d.sendPage(w, http.StatusOK, "configuration", page{Title: "Configuration", At: "configuration", Body: b})
}
