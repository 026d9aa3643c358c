package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err == nil && d < 0 {
		err = fmt.Errorf("%q is negative", s)
	}
	return d, err
}

// units of data; the decimal ones are from SI, the others from IEC 80000-13.
var units = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}

func parseSize(s string) (int64, error) {
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || f < 0 || f*u.bytes > math.MaxInt64/2 {
				return 0, fmt.Errorf("%q is not an amount of data", s)
			}
			return int64(f * u.bytes), nil
		}
	}
	return 0, fmt.Errorf("%q has no unit", s)
}
