//go:build !js

package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// The variable "calculator" holds the text of the page that the command "serve" shows.
//
//go:embed calculator
var calculator embed.FS

// These are the limits of the command "serve". They are variables so that the test can change them.
var (
	longestAnswer = 10 * time.Second // the longest run of one command
	mostWaiting   = 64               // the most requests that wait for a processor
)

const (
	largestAnswer = 8 << 20 // bytes
	answerMemory  = "GOMEMLIMIT=512MiB"
	defaultAddr   = "127.0.0.1:8080"
)

var serveCommand = command{
	name:    "serve",
	summary: "the calculator as a page for a browser, and the commands' JSON over HTTP",
	about: `
Shows a page that sizes Bloom filters, at the address it prints, until it is interrupted.
It needs no network. The page asks /api/COMMAND?FLAG=VALUE&..., which answers with what
bloomproof COMMAND -FLAG VALUE ... -json prints, for these commands:

  ` + strings.Join(served, ", ") + `

Flags that name files are not served. An answer may take ` + longestAnswer.String() + `, and as many are computed
at once as there are processors; a request beyond that gets an error as JSON, with
status 422 or 503. Status 400 tells of a bad parameter.

"make site" writes the same page as a folder for a static host, which needs no server: the
commands then run in the browser as WebAssembly.

Without -addr only this machine reaches it. A page of another site cannot use it, and
on a loopback address it answers no request that names another host.`,
	example: `
  $ bloomproof serve
  bloomproof serve: http://127.0.0.1:8080/ (an interrupt ends it)
  ...
  $ curl -s 'http://127.0.0.1:8080/api/fpr?m=64&k=10&n=4'
  {
    "hashing": "standard",
  ...`,
	flags: []flagSpec{{"addr", "HOST:PORT", "where it listens; port 0 takes a free one (default " + defaultAddr + ")"}},
	run:   serve,
}

// serveReport has the numbers of requests between the start and the end of the server.
type serveReport struct {
	Address  string `json:"address"`
	Requests count  `json:"requests"`
	Refused  count  `json:"refused"` // the number of requests that were refused because of a limit
}

func (r serveReport) print(w io.Writer) {
	fmt.Fprintf(w, "address\t%s\nrequests\t%d\nrefused\t%d\n", r.Address, r.Requests, r.Refused)
}

func serve(c *call) (report, error) {
	addr := defaultAddr
	if c.has("addr") {
		addr = c.text("addr")
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" || port == "" {
		return nil, &usageError{"addr", "must be HOST:PORT such as " + defaultAddr + ", or 0.0.0.0:8080 for every network, got " + quote(addr)}
	}
	if _, err := net.DefaultResolver.LookupPort(c.ctx, "tcp", port); err != nil {
		return nil, &usageError{"addr", "must have a port of at most 65535, or the name of one, got " + quote(port)}
	}
	ctx, stop := signal.NotifyContext(c.ctx, syscall.SIGTERM)
	defer stop()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &ioError{"addr", err}
	}
	s := newServer(ctx, listener.Addr())
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 3 * longestAnswer, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
	}
	fmt.Fprintf(c.stderr, "bloomproof serve: http://%s/ (an interrupt ends it)\n", listener.Addr())
	if !s.loopback {
		fmt.Fprintln(c.stderr, "bloomproof serve: whoever reaches this address can use it")
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err = <-ended:
		return nil, &ioError{"addr", err}
	case <-ctx.Done(): // the end of the context also ends running commands
	}
	wait, cancel := context.WithTimeout(context.Background(), patient/2)
	defer cancel()
	if server.Shutdown(wait) != nil {
		_ = server.Close() // Close cuts off the requests that are still running
	}
	return serveReport{listener.Addr().String(), count(s.requests.Load()), count(s.refused.Load())}, nil
}

// The type "server" answers the HTTP requests.
type server struct {
	ctx      context.Context
	loopback bool
	files    http.Handler
	running  chan struct{} // holds one value for each running command
	waiting  atomic.Int64

	requests, refused atomic.Uint64
}

func newServer(ctx context.Context, addr net.Addr) *server {
	files, err := fs.Sub(calculator, "calculator")
	if err != nil {
		panic(err) // impossible, because the folder is embedded
	}
	at, err := netip.ParseAddrPort(addr.String())
	return &server{
		ctx: ctx, loopback: err == nil && at.Addr().IsLoopback(),
		files: http.FileServerFS(files), running: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	command, api := strings.CutPrefix(r.URL.Path, "/api/")
	switch {
	case s.loopback && !isLocal(r.Host): // another host name whose DNS entry may point here
		refuse(w, http.StatusForbidden, "host", "must be this machine, such as localhost, got "+quote(r.Host))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "", "the method must be GET or HEAD")
	case !api:
		s.files.ServeHTTP(w, r)
	case r.Header.Get("Sec-Fetch-Site") == "cross-site":
		refuse(w, http.StatusForbidden, "", "a page of another site asked")
	default:
		s.answer(w, r, command)
	}
}

// isLocal reports whether the host of a request is a loopback name of this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// The function "refuse" answers a request with an error, in the form of -json.
func refuse(w http.ResponseWriter, status int, param, message string) {
	var body bytes.Buffer
	reportError("", true, &usageError{param, message}, &body, io.Discard)
	send(w, status, body.Bytes())
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // ignore the error: the client may have closed the connection
}

// The method "answer" runs a command of this program in a separate process. It ends a command that takes too long.
// A command that fails does not affect the others.
func (s *server) answer(w http.ResponseWriter, r *http.Request, name string) {
	args, err := argsOf(name, r.URL.RawQuery)
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		status := http.StatusBadRequest
		if usage.param == "command" {
			status = http.StatusNotFound
		}
		refuse(w, status, usage.param, usage.message)
		return
	}
	busy := func() {
		s.refused.Add(1)
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "", fmt.Sprintf("busy: at most %d answers are computed at once and %d wait, for at most %v; ask again later", cap(s.running), mostWaiting, longestAnswer))
	}
	if s.waiting.Add(1) > int64(mostWaiting) {
		s.waiting.Add(-1)
		busy()
		return
	}
	late := time.NewTimer(longestAnswer)
	defer late.Stop()
	select {
	case s.running <- struct{}{}:
		s.waiting.Add(-1)
		defer func() { <-s.running }()
	case <-late.C:
		s.waiting.Add(-1)
		busy()
		return
	case <-r.Context().Done(): // the client no longer waits for the answer
		s.waiting.Add(-1)
		return
	case <-s.ctx.Done():
		s.waiting.Add(-1)
		refuse(w, http.StatusServiceUnavailable, "", "the server ends")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), longestAnswer)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	out := limited{most: largestAnswer}
	cmd := ownCommand(ctx, args...)
	cmd.Stdout = &out
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case s.ctx.Err() != nil:
		refuse(w, http.StatusServiceUnavailable, "", "the server ends")
	case ctx.Err() != nil:
		s.refused.Add(1)
		refuse(w, http.StatusUnprocessableEntity, "", fmt.Sprintf("takes more than %v, the limit here; the command line has none: %s", longestAnswer, commandLine(args)))
	case out.cut:
		s.refused.Add(1)
		refuse(w, http.StatusUnprocessableEntity, "", fmt.Sprintf("the answer has more than %d bytes, the limit here; the command line has none: %s", largestAnswer, commandLine(args)))
	case err == nil:
		send(w, http.StatusOK, out.text.Bytes())
	case errors.As(err, &exit) && exit.ExitCode() == statusUsage && out.text.Len() > 0:
		send(w, http.StatusBadRequest, out.text.Bytes())
	default:
		refuse(w, http.StatusInternalServerError, "", "the command failed: "+err.Error())
	}
}

// ownCommand returns a command that runs this program with args. Tests replace this variable, because in a test the
// running program is the test binary.
var ownCommand = func(ctx context.Context, args ...string) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", answerMemory)
	return cmd
}

// The type "limited" is a writer that keeps its data, up to a limit. It does not embed a bytes.Buffer, because the
// method ReadFrom would ignore the limit.
type limited struct {
	text bytes.Buffer
	most int
	cut  bool
}

// Write appends p. It fails if the data would exceed the limit.
func (l *limited) Write(p []byte) (int, error) {
	if l.text.Len()+len(p) > l.most {
		l.cut = true
		return 0, io.ErrShortWrite
	}
	return l.text.Write(p)
}
