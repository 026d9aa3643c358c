// Package oauthtest provides what logins are tested against: authorization servers, a real MCP server that accepts only
// their tokens, and a simulated user with a browser.
//
// There are two authorization servers. One is part of this package and runs in any test; it is small and follows the
// specifications, with single-use codes and refresh tokens. The other is oidc-provider, a certified npm package, used
// if COMPACTOR_OIDC_PROVIDER names the node_modules directory that it is installed in.
package oauthtest
