package cputime

import (
	"testing"
)

func TestProcessGrowsWithWork(t *testing.T) {
	start, sum := Process(), 0
	for i := 0; Process() == start; i++ {
		sum += i
	}
	if Process() < start {
		t.Errorf("processor time went back from %v to %v (sum %d)", start, Process(), sum)
	}
}
