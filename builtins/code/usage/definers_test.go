package usage

import (
	"strings"
	"testing"
)

// TestMayDefine tells lines that begin a definition from calls.
func TestMayDefine(t *testing.T) {
	for _, c := range []struct {
		line, name string
		want       bool
	}{
		{"func startJob(j *Job) {", "startJob", true},
		{"func (p *Pool) startJob(j *Job) {", "startJob", true},
		{"    def startJob(self):", "startJob", true},
		{"pub async fn startJob(&self) {", "startJob", true},
		{"  public Ticket startJob(Job j) {", "startJob", true},
		{"static int startJob(struct job *j)", "startJob", true},
		{"  async startJob (job) {", "startJob", true},
		{"  startJob(job) {", "startJob", true},
		{"const startJob = (job) => {", "startJob", true},
		{"Pool.prototype.startJob = function (job) {", "startJob", true},
		{"	startJob(j)", "startJob", false},
		{"	return startJob(j)", "startJob", false},
		{"	x := startJob(j)", "startJob", false},
		{"	await startJob(j)", "startJob", false},
		{"	p.startJob(j)", "startJob", false},
		{"	int startJob(struct job *j);", "startJob", false},
	} {
		at := strings.Index(c.line, c.name)
		if got := mayDefine([]byte(c.line[:at]), []byte(c.line[at+len(c.name):])); got != c.want {
			t.Errorf("%q: %t", c.line, got)
		}
	}
}
