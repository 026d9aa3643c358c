//go:build unix

package reply

import (
	"syscall"
	"testing"
)

// TestLinear compares texts of two lengths, in the time of the processor, so
// that a busy machine does not decide. What seems slow gets more tries.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const small, factor, allowed = 4 << 10, 16, 64 // a square would be 256
	short, long := inputs(small), inputs(small*factor)
	for i := range short {
		for name, f := range map[string]func(string){
			"JSON":  func(s string) { _, _, _ = JSON(s, choose) },
			"Calls": func(s string) { Calls(s, tools) },
		} {
			base := max(spent(short[i], f), int64(200_000))
			took := spent(long[i], f)
			for range 5 {
				if took > allowed*base {
					took = min(took, spent(long[i], f))
				}
			}
			if took > allowed*base {
				t.Errorf("%s of %.40q: %d ns for %d bytes, %d ns for %d", name, short[i], base, small, took, small*factor)
			}
		}
	}
}

func spent(s string, f func(string)) int64 {
	from := cpu()
	f(s)
	return cpu() - from
}

// cpu is what the process has used of processors, in ns.
func cpu() int64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Utime.Nano() + r.Stime.Nano()
}
