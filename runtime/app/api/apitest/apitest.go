// Package apitest is a client of the control API for tests. It validates each response against the OpenAPI
// description of the same server, using a library that shares no code with ours.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/compactor-mcp/compactor/runtime/app/api"
)

// Client sends requests to one server.
type Client struct {
	t      testing.TB
	base   string
	token  string
	http   *http.Client
	doc    *openapi3.T
	router routers.Router
}

// Answer is a response that matches the description.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// New fetches and validates the description of the server at the base address.
func New(t testing.TB, base, token string) *Client {
	t.Helper()
	c := &Client{t: t, base: base, token: token, http: &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}}
	c.Describe()
	return c
}

// Describe fetches the description again: the configuration may have other tools by now.
func (c *Client) Describe() {
	c.t.Helper()
	_, body := c.send(c.request("GET", "/openapi.json", nil))
	doc, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		c.t.Fatalf("the description cannot be read: %v\n%s", err, body)
	}
	if err := doc.Validate(context.Background()); err != nil {
		c.t.Fatalf("the description is not OpenAPI: %v", err)
	}
	if c.router, err = legacy.NewRouter(doc); err != nil {
		c.t.Fatal(err)
	}
	c.doc = doc
}

// Paths returns the paths of the description.
func (c *Client) Paths() *openapi3.Paths { return c.doc.Paths }

// Ask sends a request and checks the response. Headers are pairs of name and value; an
// empty value removes the header.
func (c *Client) Ask(method, path string, body []byte, headers ...string) Answer {
	c.t.Helper()
	req := c.request(method, path, body)
	for i := 0; i+1 < len(headers); i += 2 {
		switch {
		case headers[i+1] == "":
			req.Header.Del(headers[i])
		case headers[i] == "Host":
			req.Host = headers[i+1]
		default:
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	res, got := c.send(req)
	c.check(req, res, got)
	return Answer{res.StatusCode, res.Header, got}
}

func (c *Client) request(method, path string, body []byte) *http.Request {
	c.t.Helper()
	req, err := http.NewRequest(method, c.base+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req
}

func (c *Client) send(req *http.Request) (*http.Response, []byte) {
	c.t.Helper()
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res, body
}

// check validates a response against the description; undescribed requests must get an error.
func (c *Client) check(req *http.Request, res *http.Response, body []byte) {
	c.t.Helper()
	what := req.Method + " " + req.URL.Path
	if res.Header.Get("Access-Control-Allow-Origin") != "" {
		c.t.Errorf("%s: headers %v", what, res.Header)
	}
	if res.StatusCode >= 400 && strings.HasPrefix(res.Header.Get("Content-Type"), "application/problem+json") && req.Method != http.MethodHead {
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		var p api.Problem
		if err := d.Decode(&p); err != nil || p.Code == "" || p.Detail == "" || p.Status != res.StatusCode || p.Title == "" {
			c.t.Errorf("%s: no whole problem (%v): %s", what, err, body)
		}
	}
	plain := req.Clone(context.Background())
	plain.URL.Scheme, plain.URL.Host, plain.Host = "", "", ""
	route, params, err := c.router.FindRoute(plain)
	if err != nil {
		if res.StatusCode < 400 && req.Method != http.MethodHead {
			c.t.Errorf("%s: answered %d and is not described: %v", what, res.StatusCode, err)
		}
		return
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode, Header: res.Header, Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	in.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(context.Background(), in); err != nil {
		c.t.Errorf("%s: %d is not as described: %v\n%.600s", what, res.StatusCode, err, body)
	}
}

// JSON unmarshals the body.
func (a Answer) JSON(t testing.TB, into any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
}

// Code returns the code of a problem, or "" if the body is not one.
func (a Answer) Code() string {
	var p api.Problem
	_ = json.Unmarshal(a.Body, &p) // a body that is not a problem has no code
	return p.Code
}

// Tag returns the ETag in the form that If-Match takes.
func (a Answer) Tag() string { return a.Header.Get("ETag") }

func init() {
	openapi3filter.RegisterBodyDecoder("application/cue", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.FileBodyDecoder)
}
