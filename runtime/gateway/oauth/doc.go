// Package oauth logs in to upstream MCP servers that want it, and keeps them logged in: MCP authorization as of 2025-03-26
// (metadata at the server's own origin) and from 2025-06-18 on (metadata of the protected resource, which names its
// authorization server).
//
//   - Login asks a person, once, in a browser or by a URL that is printed, and keeps what comes of it.
//   - Source gives the token for a request, and renews it when it has expired or was refused.
//   - Store is where logins are kept: a file for each, and the secrets of it in the system's keyring where there is one.
//
// Of mcp-go it uses the metadata type and the makers of verifiers, challenges and states. Its OAuthHandler is not used:
//
//   - it does not check that the authorization server knows PKCE, nor the issuer in the redirect;
//   - it guesses endpoints where a named authorization server has no metadata;
//   - a renewal that fails for want of a network looks to it like one that was refused, and asks for another login;
//   - two processes may spend one refresh token, which makes servers that rotate them take back the login;
//   - it fetches metadata from any address that a stranger's server names, and repeats any body in an error;
//   - clients register as web applications, which providers of OpenID Connect bind to one port.
//
// What strangers' servers say is bounded in size and time, and leads only to https, or to this machine where the server
// itself is on it (guard.go). A token is kept under the address it was issued for and goes nowhere else. No token, code,
// secret or verifier is ever logged or put into an error.
package oauth
