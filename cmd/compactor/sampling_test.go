package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// offering makes a client offer a model that answers from a table. It speaks
// the handshake versions, in which a server can ask its client.
func offering(ts *testscript.TestScript, table string) []client.ClientOption {
	return []client.ClientOption{client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION),
		client.WithSamplingHandler(&tableModel{table: ts.MkAbs(table), log: ts.MkAbs("asked.txt")})}
}

// tableModel answers with the first entry whose text is in the question; an
// entry without an answer never answers, and without an entry its user says no.
// What it was asked is added to log.
type tableModel struct {
	mu         sync.Mutex
	table, log string
}

func (m *tableModel) CreateMessage(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	asked := "system: " + r.SystemPrompt + "\n"
	for _, turn := range r.Messages {
		text, _ := turn.Content.(mcp.TextContent)
		asked += string(turn.Role) + ": " + text.Text + "\n"
	}
	answer, known, err := m.lookUp(asked)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, errors.New("the user said no")
	case answer == "":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &mcp.CreateMessageResult{Model: "table", StopReason: "endTurn",
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent(answer)}}, nil
}

func (m *tableModel) lookUp(asked string) (answer string, known bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	log, err := os.OpenFile(m.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", false, err
	}
	if _, err := log.WriteString(asked); err != nil {
		return "", false, err
	}
	if err := log.Close(); err != nil {
		return "", false, err
	}
	data, err := os.ReadFile(m.table)
	if err != nil {
		return "", false, err
	}
	var entries []struct{ Asked, Answer string }
	if err := json.Unmarshal(data, &entries); err != nil {
		return "", false, err
	}
	for _, e := range entries {
		if strings.Contains(asked, e.Asked) {
			return e.Answer, true, nil
		}
	}
	return "", false, nil
}
