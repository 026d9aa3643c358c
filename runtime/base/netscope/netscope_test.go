package netscope

import (
	"net/netip"
	"testing"
)

func TestOfIP(t *testing.T) {
	for text, want := range map[string]Scope{
		"93.184.216.34": Public, "2606:2800:220:1::1": Public, "100.128.0.1": Public, "::ffff:93.184.216.34": Public,
		"127.0.0.1": Loopback, "127.8.9.1": Loopback, "::1": Loopback, "::ffff:127.0.0.1": Loopback, "64:ff9b::7f00:1": Loopback, "2002:7f00:1::": Loopback,
		"10.1.2.3": Private, "192.168.0.1": Private, "172.31.0.1": Private, "100.64.0.1": Private, "fd12::1": Private, "fec0::1": Private,
		"198.18.0.1": Private, "64:ff9b::a00:1": Private, "::a00:1": Private,
		"169.254.169.254": Reserved, "fe80::1": Reserved, "0.0.0.0": Reserved, "::": Reserved, "224.0.0.1": Reserved, "ff02::1": Reserved, "0.1.2.3": Reserved,
		"255.255.255.255": Reserved, "::ffff:169.254.169.254": Reserved, "64:ff9b::a9fe:a9fe": Reserved, "fd00:ec2::254": Reserved, "fe80::1%eth0": Reserved,
	} {
		if got := OfIP(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
	if OfIP(netip.Addr{}) != Reserved {
		t.Error("no address is somewhere")
	}
}

func TestNamed(t *testing.T) {
	for host, want := range map[string]Scope{"localhost": Loopback, "LocalHost": Loopback, "127.0.0.1": Loopback, "::1": Loopback, "10.0.0.1": Private} {
		if got, known := Named(host); got != want || !known {
			t.Errorf("%s: %v, %v", host, got, known)
		}
	}
	for _, host := range []string{"example.org", "localhost.evil.example", "127.0.0.1.evil.example", "", "0x7f.1", "2130706433"} {
		if got, known := Named(host); known {
			t.Errorf("%q is known to be %v", host, got)
		}
	}
}
