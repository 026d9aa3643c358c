// Package oauthtest is what a login is tested against: authorization servers, a real MCP server that takes their tokens
// and no others, and a person before a browser.
//
// There are two authorization servers. One is of this package and runs in any test; it is small and does what the
// specifications ask for, with single-use codes and refresh tokens. The other is oidc-provider, a certified one of npm,
// where COMPACTOR_OIDC_PROVIDER names the node_modules directory that it is installed in.
package oauthtest
