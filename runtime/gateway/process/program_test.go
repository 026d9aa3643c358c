package process_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// program is what the tests start; its first argument says how it behaves.
func program(args []string) int {
	if file := os.Getenv("PROCESS_TEST_PIDS"); file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return 1
		}
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
	switch args[0] {
	case "echo": // each line in upper case, until the end of the input
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			fmt.Println(strings.ToUpper(lines.Text()))
		}
		fmt.Println("last words")
	case "deaf": // neither the end of the input nor SIGTERM ends it
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("deaf")
		for range c {
		}
	case "polite": // SIGTERM ends it, the end of the input does not
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("polite")
		<-c
	case "exit":
		fmt.Fprintln(os.Stderr, args[2])
		code, _ := strconv.Atoi(args[1])
		return code
	case "spin": // work until the input ends
		go func() {
			for n := 0; ; n++ {
			}
		}()
		fmt.Println("spins")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "environ":
		for _, kv := range os.Environ() {
			fmt.Printf("%q\n", kv)
		}
	case "flood": // 100 MB of stderr, as lines or as one
		line := strings.Repeat("x", 999) + args[1]
		w := bufio.NewWriter(os.Stderr)
		for range 100_000 {
			_, _ = io.WriteString(w, line)
		}
		_, _ = io.WriteString(w, "\nthe end\n")
		w.Flush()
	case "tell": // the argument on stderr, then wait
		fmt.Fprint(os.Stderr, args[1])
		fmt.Println("told")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	return 0
}
