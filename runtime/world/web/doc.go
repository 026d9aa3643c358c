// Package web reads pages over HTTP: of the hosts, ports and paths that the user's
// own configuration names, and of no others, whoever asks and wherever a page or a
// redirect leads. Without a named host it is not there at all.
//
// Whether an address may be asked is seen twice: from its text, before each request
// and each redirect, and from what its name was resolved to, as the connection is
// made, so that a name cannot turn to this machine or a local network between the
// two. It connects directly: a proxy would resolve names itself. It sends no
// cookies, no credentials and no referrer, and everything that comes back is bounded
// in bytes as they are unpacked, in time and in redirects.
//
// It reads no HTML and knows no question: builtins/web does. runtime/base/netscope says
// how near an address is.
package web
