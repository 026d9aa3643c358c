// Package web reads pages over HTTP, but only from the hosts, ports and paths that the
// user's own configuration names, whatever the caller, a page or a redirect refers to.
// If no host is named, the package does nothing.
//
// An address is checked twice: its text before each request and redirect, and the IP
// address that its name resolves to when the connection is made, so that a name cannot
// be switched to this machine or a local network in between. Connections are direct,
// since a proxy would resolve names itself. No cookies, credentials or referrers are
// sent, and responses are limited in decompressed bytes, time and number of redirects.
//
// It does not parse HTML and knows no questions: builtins/web does.
// runtime/base/netscope classifies how local an address is.
package web
