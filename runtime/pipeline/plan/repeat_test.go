package plan_test

import "testing"

// A model need not leave time for all rounds that there may be: few come to their maximum.
func TestModelsOfRoundsLeaveTimeForOneMore(t *testing.T) {
	p := compiled(t, ownRoles+`
pipelines: asking: {
	#input: question: string
	stages: {
		again: {role: "reviewer", with: question: "input.question + string(len(rounds))", repeat: {max: 100, gain: "date('2026-01-02').Unix()"}}
		twice: {role: "reviewer", with: question: "again.value.risk + string(len(rounds))", repeat: max: 2}
		after: {role: "reviewer", with: question: "twice.value.risk"}
	}
	output: "after"
}`)
	again, twice, after := p.Pipelines["asking"].Stage("again"), p.Pipelines["asking"].Stage("twice"), p.Pipelines["asking"].Stage("after")
	if got, want := [3]int{again.Asks, twice.Asks, after.Asks}, [3]int{5, 3, 1}; got != want {
		t.Errorf("%v roles in a row, want %v", got, want)
	}
	for rounds, want := range map[int]int{100: 2, 50: 2, 2: 2, 1: 1} {
		if got := again.AsksOf(rounds); got != want {
			t.Errorf("%d rounds: %d, want %d", rounds, got, want)
		}
	}
}
