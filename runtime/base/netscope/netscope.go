// Package netscope classifies how near an address is: on this machine, on a local
// network, or beyond. An untrusted name must not make this program connect to something
// that only this machine can reach; the dialer checks the address itself, after
// resolving the name, since a name may point elsewhere by then.
//
// The package resolves nothing and opens nothing.
package netscope

import (
	"net/netip"
	"strings"
)

// Scope is how near an address is; the nearer, the larger.
type Scope int

// Scopes, the widest first.
const (
	Public   Scope = iota
	Private        // a local network
	Loopback       // this machine
	Reserved       // reserved addresses and those of cloud metadata, where no server may be
)

// String returns the scope as worded in messages.
func (s Scope) String() string {
	switch s {
	case Private:
		return "on a local network"
	case Loopback:
		return "on this machine"
	case Reserved:
		return "at a reserved or metadata address"
	}
	return "public"
}

func mustPrefixes(list ...string) (out []netip.Prefix) {
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

var (
	// local are non-public networks in addition to those that netip knows:
	// carrier-grade NAT, benchmarking networks, and IPv6's former private ones.
	local = mustPrefixes("100.64.0.0/10", "198.18.0.0/15", "192.0.0.0/24", "fec0::/10")
	// nowhere are reserved addresses, and a cloud's metadata over IPv6.
	nowhere = mustPrefixes("0.0.0.0/8", "240.0.0.0/4", "fd00:ec2::254/128")
	// embedding are IPv6 networks whose addresses contain an IPv4 address, with its
	// byte offset: a translator on the way leads there.
	embedding = map[netip.Prefix]int{
		netip.MustParsePrefix("64:ff9b::/96"): 12,
		netip.MustParsePrefix("2002::/16"):    2,
		netip.MustParsePrefix("::/96"):        12,
	}
)

// OfIP returns the scope of an address.
func OfIP(ip netip.Addr) Scope {
	ip = ip.Unmap()
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast(), isWithin(ip, nowhere):
		return Reserved
	case ip.IsLoopback():
		return Loopback
	case ip.IsPrivate(), isWithin(ip, local):
		return Private
	}
	for p, at := range embedding {
		if p.Contains(ip) {
			b := ip.As16()
			return OfIP(netip.AddrFrom4([4]byte(b[at : at+4])))
		}
	}
	return Public
}

func isWithin(ip netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(ip.WithZone("")) {
			return true
		}
	}
	return false
}

// Named returns the scope that a host name alone determines, without a lookup; false if
// only its address would tell.
func Named(host string) (Scope, bool) {
	if strings.EqualFold(host, "localhost") {
		return Loopback, true
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return OfIP(ip), true
	}
	return Public, false
}
