//go:build unix

package process_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The owner is killed before the guard could say that it is ready: nobody hears it any more, and there is all the more to do.
func TestGuardOfAnOwnerThatIsGoneDoesItsWork(t *testing.T) {
	program := exec.Command("sleep", "600")
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = program.Wait() }()
	defer func() { _ = program.Process.Kill(); <-ended }()

	hear, say, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	hear.Close()
	defer say.Close()
	guard := exec.Command(os.Args[0], "guard")
	guard.Stdin = strings.NewReader(fmt.Sprintf("mark nobodynobody.\nadd %d\n", program.Process.Pid))
	guard.Stdout = say
	if err := guard.Run(); err != nil {
		t.Errorf("the guard: %v", err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the program still runs")
	}
}
