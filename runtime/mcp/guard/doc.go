// Package guard protects every HTTP handler of this program from unwanted clients: a web page that tricks the user's
// browser into calling localhost (DNS rebinding, cross-site requests) is rejected by its Host and Origin headers,
// anyone else beyond loopback by the lack of a bearer token.
//
// It knows nothing about the handlers and opens no socket. Neighbours: runtime/mcp/listen decides where to listen.
//
// Files:
//
//	guard.go     which requests are rejected: by host, by origin, by token
//	holders.go   clients with tokens of their own
//	browser.go   letting a person's browser in to pages, by a one-time code and a cookie
package guard
