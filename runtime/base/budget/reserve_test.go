package budget

import (
	"errors"
	"slices"
	"testing"
)

// What a reply may have is taken before it is written, and what it did not need is
// given back to all.
func TestReserveOut(t *testing.T) {
	request := New(Limits{TokensOut: 100})
	one, other := request.Child(Limits{}), request.Child(Limits{TokensOut: 80})
	most, settle, err := one.ReserveOut(70, 20)
	if most != 70 || err != nil {
		t.Fatalf("first: %d, %v", most, err)
	}
	during, settleDuring, err := other.ReserveOut(70, 20)
	if during != 30 || err != nil {
		t.Errorf("while the first is written: %d, %v", during, err)
	}
	settleDuring(30)
	settle(10)
	if most, settle, err = other.ReserveOut(70, 20); most != 50 || err != nil { // 80 of its own, 30 written
		t.Errorf("after the first: %d, %v", most, err)
	}
	settle(55) // more than it may
	_, _, err = request.ReserveOut(70, 20)
	var spent *ExhaustedError
	if !errors.As(err, &spent) || spent.Limit != "tokens_out" || spent.Max != 100 {
		t.Errorf("95 of 100 are written: %v", err)
	}
	if u := request.Usage(); u.TokensOut != 95 || !slices.Equal(u.Hit, []string{"tokens_out"}) || !slices.Contains(u.Warned, "tokens_out") {
		t.Errorf("usage %+v", u)
	}
	if most, _, err := request.ReserveOut(4, 20); most != 4 || err != nil {
		t.Errorf("a reply that wants no more: %d, %v", most, err)
	}
}
