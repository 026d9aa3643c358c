package coderank

import "testing"

// TestAskedNames asks for definitions whose names are everyday words.
func TestAskedNames(t *testing.T) {
	for question, want := range map[string]string{
		"where is Get defined?": "Get", "where is Client.Do defined?": "Do", "What does Do do?": "Do", "where is the About component?": "About", "where is class Other?": "Other",
		"where is store.Now?": "Now", "where is this defined?": "", "what is it?": "", "where are Up and down told apart?": "",
	} {
		got := ""
		for _, id := range Parse(question).Idents {
			got = id.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

// TestTopics tells the names of topics from questions and from messages of commits, which are read as they were.
func TestTopics(t *testing.T) {
	for question, want := range map[string]bool{
		"panic recovery middleware": true, "How routes are grouped and registered": true, "IMessageFormatter": false,
		"waiting for any of several futures to complete": true, "absl::Mutex and MutexLock for synchronization": true,
		"how are routes registered": false, "how routes are grouped?": false, "how do I add my own codec": false,
		"where is the pool": false, "who calls Close": false, "tests for the pool": false, "what happens on a timeout": false,
		"fix the retry of failed tasks": false, "Use hub.remove_writer for write fds": false, "worker_pool setting is now respected": false,
		"the pool must not be closed twice": false, "panic recovery. It hides the stack": false, "": false,
		"connection pool keeps leased sockets and idle sockets apart while another thread of the caller writes": false,
		"fix(core): handle nil pool": false, "feat: add router groups": false, "bump version to 2.0.0": false, "server returns 502 after config reload": false,
		"how come the proxy drops websockets": false, "how many workers the pool has": false, "how I add a codec": false,
		"warum stürzt der Server ab": false, "почему падает сервер": false, "谁调用 Close": false,
		"panic: assignment to entry in nil map": false,
	} {
		if got := Parse(question).Intent.Topic; got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}

// TestMakes tells names of constructors from names that only begin alike.
func TestMakes(t *testing.T) {
	for name, want := range map[string]bool{
		"NewPool": true, "new": true, "init_pool": true, "buildAll": true, "make2": true,
		"newline": false, "maker": false, "initial": false, "created": false, "renew": false, "": false,
	} {
		if isConstructorName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
