package gateway

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// expandLogin expands the parts of the configuration that a login uses.
func (x *expander) expandLogin(o config.OAuth) (id, secret, issuer string) {
	id, secret, issuer = x.expandText("client_id", o.ClientID), x.expandText("client_secret", o.ClientSecret), x.expandText("issuer", o.Issuer)
	x.keepLiteral("client_secret", o.ClientSecret)
	return id, secret, issuer
}

// loginTo returns a server's data for a login.
func (reg *registry) loginTo(c config.Server) (oauth.Server, error) {
	spec, _, err := reg.expand(c)
	if err != nil {
		return oauth.Server{Name: c.Name}, err
	}
	x := &expander{lookup: func(name string) (string, bool) { return reg.opt.Lookup(c, name) }, secrets: map[string]string{}}
	id, secret, issuer := x.expandLogin(c.OAuth)
	place := ""
	if own := reg.approvals.serverKey(c); own != c.Name {
		place = own
	}
	return oauth.Server{Name: c.Name, Place: place, URL: spec.URL, Headers: spec.Headers, ClientID: id, ClientSecret: secret, Scopes: c.OAuth.Scopes,
		RedirectPort: c.OAuth.RedirectPort, Issuer: issuer}, nil
}

// NoLogin says why no login to a server is possible, or returns "" if one may be needed.
func NoLogin(c config.Server) string {
	if c.URL == "" {
		return "it is a program, which takes no login"
	}
	for name := range c.Headers {
		if strings.EqualFold(name, "Authorization") {
			return "headers of the configuration say what it is authorized by: leave Authorization out there if it shall be a login"
		}
	}
	return ""
}

// tokenSource returns the token source of a server, or nil if no login is possible.
func (reg *registry) tokenSource(c config.Server) *oauth.Source {
	if reg.opt.Logins == nil || NoLogin(c) != "" {
		return nil
	}
	return reg.opt.Logins.Source(func() (oauth.Server, error) { return reg.loginTo(c) })
}

// loginOf converts a source so that a nil source becomes a nil interface.
func loginOf(s *oauth.Source) upstream.Login {
	if s == nil {
		return nil
	}
	return s
}

// Login asks the user to log in to a server. files keeps the result out of the system's keyring.
func (g *Gateway) Login(ctx context.Context, name string, who oauth.Person, files bool) (oauth.State, error) {
	of, err := g.mayLogIn(name)
	if err != nil {
		return oauth.State{}, err
	}
	logins := g.opt.Logins
	if files {
		logins = logins.InFiles()
	}
	return logins.Login(ctx, of, who)
}

// Logout forgets the login to a server. told reports whether the issuing server revoked it.
func (g *Gateway) Logout(ctx context.Context, name string) (had, told bool, err error) {
	of, err := g.mayLogIn(name)
	if err != nil {
		return false, false, err
	}
	return g.opt.Logins.Logout(ctx, of)
}

// LoginState returns the state of the login to a server, without asking the user.
func (reg *registry) LoginState(c config.Server) oauth.State {
	if reg.opt.Logins == nil || NoLogin(c) != "" {
		return oauth.State{}
	}
	of, err := reg.loginTo(c)
	if err != nil {
		return oauth.State{}
	}
	return reg.opt.Logins.State(of)
}

func (g *Gateway) mayLogIn(name string) (oauth.Server, error) {
	refuse := func(why string) (oauth.Server, error) {
		return oauth.Server{}, &contract.Error{Name: "ConfigurationError", Code: CodeConfiguration, Message: why}
	}
	e := g.entry(name)
	if e == nil {
		return refuse("it is not enabled")
	}
	c := e.config()
	switch why := NoLogin(c); {
	case !g.isAllowed(c):
		return refuse(heldWhy + "; " + heldDo + g.opt.AllowWith)
	case why != "":
		return refuse(why)
	case g.opt.Logins == nil:
		return refuse("there is no state directory that could keep a login: set HOME, or XDG_STATE_HOME")
	}
	return g.loginTo(c)
}
