// Package oauth logs in to upstream MCP servers that require it, and renews the logins: MCP authorization as of
// 2025-03-26 (metadata at the server's own origin) and from 2025-06-18 on (metadata of the protected resource, which
// names its authorization server).
//
//   - Login asks the user once, in a browser or by a printed URL, and stores the result.
//   - Source returns the token for a request, and renews it when it has expired or was refused.
//   - Store keeps the logins: one file each, with the secrets in the system's keyring if there is one.
//
// It uses mcp-go's metadata type and generators of verifiers, challenges and states, but not its OAuthHandler, which:
//
//   - checks neither that the authorization server supports PKCE, nor the issuer in the redirect;
//   - guesses endpoints if a named authorization server has no metadata;
//   - treats a renewal that fails for lack of a network as refused, and asks for another login;
//   - lets two processes use one refresh token, upon which servers that rotate them revoke the login;
//   - fetches metadata from any URL that a foreign server names, and repeats any body in an error;
//   - registers clients as web applications, which providers of OpenID Connect bind to one port.
//
// Responses of foreign servers are limited in size and time, and lead only to https, or to this machine if the server
// itself is on it (guard.go). A token is stored under the URL it was issued for and is sent nowhere else. No token,
// code, secret or verifier is ever logged or put into an error.
//
// Files:
//
//	login.go, redirect.go, browser*.go   logging in and out; scopes requested; the browser's way back
//	source.go                            tokens renewed, once for all callers and processes; when a new login is needed
//	token.go                             requests for tokens; registering as a client
//	discover.go, challenge.go            finding the authorization server; what a server asks for when it refuses
//	guard.go, ask.go                     which addresses a server may make us contact; limits of its responses
//	store.go, lock_*.go                  logins on disk; one process at a time
//	record.go                            when a token counts as expired; the state of a login in words
//	keyring.go                           secrets in the system's keyring
//	server.go                            which login belongs to a server
//	text.go                              masking values in foreign texts
package oauth
