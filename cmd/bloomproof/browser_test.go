package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// browser is a running Chromium. Each test opens a page of its own in it, because a start takes two seconds of
// processor time.
type browser struct {
	cmd   *exec.Cmd
	dir   string // of the user's data
	tools string // the address that opens and closes pages
	ended chan struct{}

	mu      sync.Mutex
	console []string // the lines of the consoles of all pages
	grown   chan struct{}
}

// usualBrowser is the browser without flags of its own, for all tests. The function endBrowser ends it.
var usualBrowser struct {
	once sync.Once
	b    *browser
	err  error
}

func endBrowser() {
	if b := usualBrowser.b; b != nil {
		b.end()
	}
}

// browserOf returns the browser of all tests, or with flags a new one that ends with the test.
func browserOf(t testing.TB, flags ...string) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("short, as under an emulator: the browser is a program of the host, and shows the same pages on every platform")
	}
	program := longtest.Program(t, "chromium")
	if len(flags) > 0 {
		b, err := startBrowser(program, flags)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.end)
		return b
	}
	usualBrowser.once.Do(func() { usualBrowser.b, usualBrowser.err = startBrowser(program, nil) })
	if usualBrowser.err != nil {
		t.Fatal(usualBrowser.err)
	}
	return usualBrowser.b
}

func startBrowser(program string, flags []string) (*browser, error) {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	b := &browser{dir: dir, ended: make(chan struct{}), grown: make(chan struct{}, 1)}
	b.cmd = exec.Command(program, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + dir,
		"--renderer-process-limit=1", "--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess", // one process for all pages
		"--enable-logging=stderr", "--remote-debugging-port=0", "about:blank"}, flags...)...) // with the port it stays until it is ended
	log, err := b.cmd.StderrPipe()
	if err == nil {
		err = b.cmd.Start()
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	tools := make(chan string, 1)
	go func() {
		defer close(b.ended)
		lines := bufio.NewReader(log)
		for err := error(nil); err == nil; {
			var line string
			line, err = lines.ReadString('\n')
			if _, at, ok := strings.Cut(line, "DevTools listening on ws://"); ok {
				host, _, _ := strings.Cut(at, "/")
				tools <- "http://" + host + "/json/"
			}
			if strings.Contains(line, "CONSOLE") {
				b.mu.Lock()
				b.console = append(b.console, line)
				b.mu.Unlock()
				select {
				case b.grown <- struct{}{}:
				default:
				}
			}
		}
		_ = b.cmd.Wait()
	}()
	select {
	case b.tools = <-tools:
		return b, nil
	case <-b.ended:
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("the browser ended at its start: %v", b.cmd.ProcessState)
	}
}

// end has the browser end; its children end with it.
func (b *browser) end() {
	_ = b.cmd.Process.Signal(os.Interrupt)
	select {
	case <-b.ended:
	case <-time.After(10 * time.Second):
		_ = b.cmd.Process.Kill()
		<-b.ended
	}
	_ = os.RemoveAll(b.dir)
}

// ask sends a request to the address that opens and closes pages.
func (b *browser) ask(t testing.TB, method, what string, answer any) {
	t.Helper()
	request, err := http.NewRequest(method, b.tools+what, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v: %s", what, got.Status, err, text)
	}
}

// pageEnds is what a page writes to its console before it sends its result.
const pageEnds = "the page of the test ends"

// sending is a function for the scripts of pages, that sends what a test waits for.
const sending = `function send(result) {
  console.log("` + pageEnds + `");
  return fetch("/result", { method: "POST", body: JSON.stringify(result) });
}
`

// inBrowser shows a page, beside the calculator and other files, and returns what it sends.
func inBrowser(t testing.TB, show shownPage, shown string, files map[string][]byte, flags ...string) calculatorRun {
	t.Helper()
	b := browserOf(t, flags...)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.Handle("/", show(t, server.Listener.Addr()))
	mux.HandleFunc("/driver", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(shown))
	})
	for name, text := range files {
		mux.HandleFunc(name, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(text) })
	}
	result := make(chan []byte, 1)
	mux.HandleFunc("/result", func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		result <- text
	})
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
	defer stop()
	b.mu.Lock()
	b.console = nil // what pages of other tests have written
	b.mu.Unlock()
	var page struct{ ID string }
	b.ask(t, http.MethodPut, "new?"+url.QueryEscape(server.URL+"/driver"), &page)
	defer b.ask(t, http.MethodGet, "close/"+page.ID, nil)
	var r calculatorRun
	select {
	case text := <-result:
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	case <-ctx.Done():
		t.Fatal("the page sends no result")
	case <-b.ended:
		t.Fatalf("the browser ended without a result: %v", b.cmd.ProcessState)
	}
	for next := 0; ; {
		b.mu.Lock()
		lines := b.console
		b.mu.Unlock()
		for _, line := range lines[next:] {
			if strings.Contains(line, `"`+pageEnds+`"`) {
				return r
			}
			r.Errors = append(r.Errors, line) // for example a file that is missing, or that the policy forbids
		}
		next = len(lines)
		select {
		case <-b.grown:
		case <-ctx.Done():
			t.Fatal("the console lacks the end of the page")
		case <-b.ended:
			t.Fatalf("the browser ended before its log: %v", b.cmd.ProcessState)
		}
	}
}

// noPage is the handler of a test whose page needs no other.
func noPage(testing.TB, net.Addr) http.Handler { return http.NotFoundHandler() }
