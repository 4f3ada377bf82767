package main

import (
	"bufio"
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// ownCommandIsThisTest has the server run the test binary as the program, until the test ends.
func ownCommandIsThisTest(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("short, as under an emulator, which cannot start the test binary again")
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	if before := longestAnswer; before == 10*time.Second { // a busy host may take longer; TestServeTime has a limit of its own
		longestAnswer = 10 * time.Minute
		t.Cleanup(func() { longestAnswer = before })
	}
	before := ownCommand
	ownCommand = func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, os.Args[0], args...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "GOMAXPROCS=1", answerMemory)
		cmd.ExtraFiles = []*os.File{null} // the file that a program of a test closes
		return cmd
	}
	t.Cleanup(func() {
		ownCommand = before
		_ = null.Close()
	})
}

// serving starts the program as a server, whose commands are the test binary too, and returns its
// address and what ends it and returns its output.
func serving(t *testing.T) (addr string, end func() (status int, out string)) {
	t.Helper()
	ownCommandIsThisTest(t)
	ctx, cancel := context.WithCancel(context.Background())
	reads, writes := io.Pipe()
	var out strings.Builder
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"serve", "-addr", "127.0.0.1:0", "-json"}, nil, &out, writes) }()
	line, err := bufio.NewReader(reads).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, reads) }()
	addr = regexp.MustCompile(`http://\S+/`).FindString(line)
	end = sync.OnceValues(func() (int, string) {
		cancel()
		status := <-done
		_ = writes.Close()
		return status, out.String()
	})
	t.Cleanup(func() { end() })
	return addr, end
}

func get(t *testing.T, address string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(text)
}

// The server answers with what the command prints, to many at once, refuses what is not served, and
// ends by itself when it is interrupted.
func TestServe(t *testing.T) {
	before := mostWaiting
	mostWaiting = longtest.More(2, mostWaiting) // each answer takes a process
	defer func() { mostWaiting = before }()
	addr, end := serving(t)
	defer end() // before mostWaiting is what it was
	var asked atomic.Int64
	get := func(t *testing.T, address string) (int, string) {
		asked.Add(1)
		return get(t, address)
	}
	for query, args := range map[string]string{
		"fpr?m=64&k=10&n=4":           "fpr -m 64 -k 10 -n 4 -json",
		"size?n=1e6&fpr=0.01":         "size -n 1e6 -fpr 0.01 -json",
		"size?n=1e6&fpr=0.01&m=5":     "size -n 1e6 -fpr 0.01 -m 5 -json",
		"fpr?m=64&k=10&n=4..8":        "fpr -m 64 -k 10 -n 4..8 -json",
		"like":                        "like -json",
		"recycle?m=64&k=4&sigma=32":   "recycle -m 64 -k 4 -sigma 32 -json",
		"fpr?m=64&k=10&n=4&digits=x":  "fpr -m 64 -k 10 -n 4 -digits x -json",
		"fpr?m=64&k=10&n=4&unknown=1": "fpr -m 64 -k 10 -n 4 -unknown 1 -json",
	} {
		if !longtest.Enabled() && slices.Contains([]string{"like", "size?n=1e6&fpr=0.01", "recycle?m=64&k=4&sigma=32"}, query) {
			continue // each answer takes a process
		}
		wantStatus, want, _ := try(nil, strings.Fields(args)...)
		status, got := get(t, addr+"api/"+query)
		if got != want || status != map[int]int{statusOK: 200, statusUsage: 400}[wantStatus] {
			t.Errorf("%s: status %d, %s\nwant %s", query, status, got, want)
		}
	}
	for query, want := range map[string]int{
		"api/simulate": 404, "api/": 404, "api/recycle?trace=/etc/hostname": 400, "api/recycle?m=64&target=0.1&report=x": 400, "nothing": 404,
		"api/fpr?trace%3D=x": 400, "api/fpr?m=64&k=10&n=4&h=": 400, "api/fpr?m=64&k=10&n=4&help=true": 400, "api/fpr?m=1&m=2": 400, "api/fpr?m=" + strings.Repeat("1", longestQuery): 400,
		"api/fnr?m=64&k=4&sigma=32&repeat=0.5&popularity=file:/etc/hostname": 400, "": 200, "app.js": 200, "number.js": 200, "answers.js": 200, "recycling.html": 200, "recycling.js": 200, "style.css": 200,
	} {
		status, body := get(t, addr+query)
		if status != want || status == 400 && checkJSON(t, body)["error"] == nil {
			t.Errorf("%s: status %d, want %d: %s", query, status, want, body)
		}
	}
	request, err := http.NewRequest(http.MethodGet, addr+"api/like", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "example.com"
	asked.Add(1)
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusForbidden {
		t.Errorf("another host: %v, %v", answer, err)
	}
	_ = answer.Body.Close()

	_, want, _ := try(nil, "fpr", "-m", "1000", "-k", "7", "-n", "100", "-json")
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int64{}
	for range 2*mostWaiting + 10 {
		all.Add(1)
		go func() {
			defer all.Done()
			status, body := get(t, addr+"api/fpr?m=1000&k=7&n=100")
			mu.Lock()
			defer mu.Unlock()
			statuses[status]++
			if status == 200 && body != want || status == 503 && !strings.Contains(body, "busy") || status != 200 && status != 503 {
				t.Errorf("status %d: %s", status, body)
			}
		}()
	}
	all.Wait()
	if statuses[200] < int64(mostWaiting) {
		t.Errorf("answers: %v", statuses)
	}
	status, out := end()
	var r struct{ Requests, Refused int64 }
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != statusOK || r.Requests != asked.Load() || r.Refused != statuses[503] {
		t.Errorf("status %d, %s, %v; %v", status, out, err, statuses)
	}
}

// A command that takes too long is ended, and its place is free again.
func TestServeTime(t *testing.T) {
	before := longestAnswer
	longestAnswer = 100 * time.Millisecond
	defer func() { longestAnswer = before }()
	addr, end := serving(t)
	defer end() // before longestAnswer is what it was
	for range 3 {
		status, body := get(t, addr+"api/size?m=1e18&n=1e14&digits=10000")
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, "takes more than 100ms") {
			t.Errorf("status %d: %s", status, body)
		}
	}
}

// The page in a browser shows what the command prints, for numbers as people write them.
func TestCalculatorInBrowser(t *testing.T) {
	longtest.Only(t, "TestCalculatorAgrees opens links too, and a browser takes seconds to start")
	addr, _ := serving(t)
	browser := longtest.Program(t, "chromium")
	for state, args := range map[string]string{
		"n=1 million&p=1 in 1,000": "size -n 1e6 -fpr 0.001 -json",
	} {
		query, err := url.ParseQuery(state)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
		defer stop()
		out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
			"--virtual-time-budget=20000", "--dump-dom", addr+"?"+query.Encode()).Output()
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := try(nil, strings.Fields(args)...)
		var want sizeAnswer
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(string(out))
		page = regexp.MustCompile(`<(td|th scope="row") [^<>]*>`).ReplaceAllString(page, "<$1>")
		_, line, _ := strings.Cut(page, `>standard</button></th>`)
		line, _, _ = strings.Cut(line, "</tr>")
		line = strings.ReplaceAll(line, ",", "")
		for _, cell := range []string{want.M.String(), want.K.String(), want.N.String(), want.FPR.Mid, want.Heuristic.FPR.Mid} {
			if !strings.Contains(line, "<td>"+cell+"</td>") {
				t.Errorf("%s: no %s in %s", state, cell, line)
			}
		}
		if n := strings.Count(page, `<th scope="row">`); n != 6 || strings.Contains(string(out), "colspan") || !strings.Contains(page, "Done.") {
			t.Errorf("%s: %d rows in %s", state, n, page)
		}
	}
}

// sizeAnswer is what the page shows of size.
type sizeAnswer struct {
	M, K, N   json.Number
	FPR       struct{ Mid string }
	Heuristic struct{ FPR struct{ Mid string } }
}
