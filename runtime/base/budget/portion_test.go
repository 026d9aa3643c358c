package budget

import "testing"

func TestPortionLeavesEnoughAndReportsNoCut(t *testing.T) {
	request := New(Limits{Files: 10, Steps: 9})
	role := request.Child(Limits{Files: 8})
	if err := role.Step(1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		_ = request.Read(name, 1)
	}
	extra := role.Portion(0.5) // 6 of 10 files are left, 8 of 9 steps
	if got := extra.Limits(); got.Files != 3 || got.Steps != 4 || got.Bytes != 0 {
		t.Errorf("the portion is %+v", got)
	}
	read := 0
	for _, name := range []string{"e", "f", "g", "h"} {
		if extra.Read(name, 1) == nil {
			read++
		}
	}
	if err := extra.Step(5); read != 3 || err == nil {
		t.Errorf("%d files read, 5 steps: %v", read, err)
	}
	use := request.Usage()
	if use.Files != 7 {
		t.Errorf("%d files booked above, want 7", use.Files)
	}
	if len(use.Hit) > 0 {
		t.Errorf("reported as cut: %v", use.Hit)
	}
	if err := role.Read("i", 1); err != nil {
		t.Errorf("nothing was left for the role: %v", err)
	}
	if err := role.Step(9); err == nil || len(request.Usage().Hit) != 1 {
		t.Errorf("the role's own refusal is not reported: %v, %v", err, request.Usage().Hit)
	}
}

func TestPortionOfNothing(t *testing.T) {
	l := New(Limits{Steps: 1})
	_ = l.Step(1)
	if err := l.Portion(0.5).Step(1); err == nil || len(l.Usage().Hit) > 0 {
		t.Errorf("a spent limit gave %v, hit %v", err, l.Usage().Hit)
	}
}
