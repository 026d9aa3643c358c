package compact

import (
	"os"
	"strconv"
	"strings"
)

func wt(name string, v float64) float64 {
	for _, kv := range strings.Split(os.Getenv("TS"), ",") {
		if k, x, ok := strings.Cut(kv, "="); ok && k == name {
			f, _ := strconv.ParseFloat(x, 64)
			return f
		}
	}
	return v
}
