package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// driverOf returns a page that types questions into a page of the calculator, in a frame, and sends what it reads.
func driverOf(page string, fields ...string) string {
	return strings.NewReplacer("PAGE", page, "FIELDS", `"`+strings.Join(fields, `", "`)+`"`).Replace(driver)
}

const driver = `<!DOCTYPE html><title>driver</title><iframe id="f" src="PAGE" width="360" height="900"></iframe>
<script>
` + sending + `const frame = document.getElementById("f"), errors = [];
const settled = async (page) => {
  for (;;) {
    const text = page.getElementById("status").textContent;
    if (text && text !== "Computing ...") return text;
    await new Promise((wake) => setTimeout(wake, 5));
  }
};
const watch = (w) => {
  w.addEventListener("error", (e) => errors.push(e.message));
  w.addEventListener("unhandledrejection", (e) => errors.push(String(e.reason)));
  w.console.error = (...what) => errors.push(what.join(" "));
};
const loaded = () => new Promise((wake) => frame.addEventListener("load", () => { watch(frame.contentWindow); wake(); }, { once: true }));
const fields = [FIELDS];
(async () => {
  const answers = [];
  await loaded();
  await settled(frame.contentDocument);
  for (const question of await (await fetch("questions.json")).json()) {
    if (question.link) {
      const there = loaded();
      frame.src = "PAGE?" + new URLSearchParams(fields.filter((name) => question[name]).map((name) => [name, question[name]]));
      await there;
    }
    const w = frame.contentWindow, page = w.document;
    if (!question.link) {
      for (const name of fields) page.getElementById(name).value = question[name] || "";
      page.getElementById("status").textContent = "";
      page.getElementById("form").requestSubmit();
    }
    const status = await settled(page);
    const rows = [...page.querySelector("tbody").rows].map((r) => [...r.cells].map((c) => c.textContent));
    const reads = fields.map((name) => page.getElementById(name + "-read")?.textContent || "");
    answers.push({ status, rows, reads, command: page.getElementById("command").textContent, go: page.getElementById("go").textContent,
      json: page.getElementById("json").textContent, curves: page.querySelectorAll("#plots svg .curve").length,
      plots: page.querySelectorAll("#plots svg circle").length, address: w.location.search });
  }
  await send({ answers, errors });
})();
</script>`

// looker looks for what readers of the screen lack, once the page has its answer.
const looker = `<script src="axe.js"></script><script>
` + sending + `const wait = setInterval(async () => {
  if (document.getElementById("status").textContent !== "Done.") return;
  clearInterval(wait);
  const found = (await axe.run()).violations.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html).join(" "));
  send({ answers: [], errors: found });
}, 50);
</script>`

// unframed permits a page to stand in a frame, which the server forbids.
type unframed struct{ http.ResponseWriter }

func (w unframed) WriteHeader(status int) {
	w.Header().Del("Content-Security-Policy")
	w.ResponseWriter.WriteHeader(status)
}

type (
	calculatorQuestion struct {
		N    string   `json:"n,omitempty"`
		P    string   `json:"p,omitempty"`
		M    string   `json:"m,omitempty"`
		K    string   `json:"k,omitempty"`
		Link bool     `json:"link,omitempty"` // by the address of the page
		args []string // the same for the command
	}
	calculatorAnswer struct {
		Status, Command, Go, Address string
		JSON                         string // all of the objects, one after the other
		Curves                       int
		Rows                         [][]string
		Reads                        []string // how each field was taken
		Plots                        int
	}
	calculatorRun struct {
		Answers []calculatorAnswer
		Errors  []string
		Times   []map[string]float64 // in milliseconds
		Page    framed
	}
)

// shownPage is a handler for the files of the calculator, given the address at which it is reached.
type shownPage func(t testing.TB, addr net.Addr) http.Handler

// servedPage is the page of serve.
func servedPage(t testing.TB, addr net.Addr) http.Handler {
	ownCommandIsThisTest(t)
	page := newServer(t.Context(), addr)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { page.ServeHTTP(unframed{w}, r) })
}

// answeredPage is the page of serve, and this process computes the answers in a run that is not long: a page asks dozens
// of questions, and the start of a process takes 50 ms. TestServe compares what the processes answer with the same
// commands.
func answeredPage(t testing.TB, addr net.Addr) http.Handler {
	if longtest.Enabled() {
		return servedPage(t, addr)
	}
	page := newServer(t.Context(), addr)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, api := strings.CutPrefix(r.URL.Path, "/api/")
		args, err := argsOf(name, r.URL.RawQuery)
		if !api || err != nil {
			page.ServeHTTP(unframed{w}, r)
			return
		}
		status, text, _ := try(nil, args...)
		send(w, map[int]int{statusOK: 200, statusUsage: 400}[status], []byte(text))
	})
}

// askCalculator has a browser type questions, and returns what it read.
func askCalculator(t *testing.T, show shownPage, questions []calculatorQuestion) calculatorRun {
	t.Helper()
	return inBrowser(t, show, driverOf("/", "n", "p", "m", "k"), map[string][]byte{"/questions.json": mustJSON(t, questions)})
}

func mustJSON(t *testing.T, x any) []byte {
	t.Helper()
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// spell writes a whole number as people do.
func spell(rng *rand.Rand, x uint64) string {
	grouped := fmt.Sprint(x)
	for i := len(grouped) - 3; i > 0; i -= 3 {
		grouped = grouped[:i] + "," + grouped[i:]
	}
	ways := []string{fmt.Sprint(x), grouped, strings.ReplaceAll(grouped, ",", "_"), strings.ReplaceAll(grouped, ",", " "), fmt.Sprintf("%de3", x/1000), fmt.Sprintf("%g thousand", float64(x)/1000), fmt.Sprintf("%v million", float64(x)/1e6)}
	if x%1000 != 0 {
		ways[4] = ways[0]
	} else {
		ways = append(ways, fmt.Sprintf("%dK", x/1000), fmt.Sprintf("%gM", float64(x)/1e6))
	}
	if x%1024 == 0 {
		ways = append(ways, fmt.Sprintf("%dKi", x/1024))
	}
	return ways[rng.IntN(len(ways))]
}

func calculatorQuestions(count int) []calculatorQuestion {
	rng := rand.New(rand.NewPCG(23, 1))
	rates := map[string]string{"1 %": "0.01", "0.001": "0.001", "1e-6": "1e-6", "1 in a million": "1e-6", "one in a thousand": "0.001", "1 in 1,000": "0.001", "1/250": "0.004", "0.5 percent": "0.005", "1:20": "0.05", "2000": "0.0005", ".1%": "0.001"}
	spellings := slices.Sorted(func(yield func(string) bool) {
		for s := range rates {
			if !yield(s) {
				return
			}
		}
	})
	sizes := map[string]string{"16 MiB": "134217728", "8 Mi": "8388608", "64KB": "512000", "64 KiB": "524288", "2 Mbit": "2000000", "100 kb": "800000", "1,000,000 bits": "1000000", "2^20": "1048576", "1.5 kib": "12288"}
	named := slices.Sorted(func(yield func(string) bool) {
		for s := range sizes {
			if !yield(s) {
				return
			}
		}
	})
	all := make([]calculatorQuestion, count)
	for i := range all {
		all[i].Link = i%3 == 2
		n := rng.Uint64N(2_000_000) + 1
		if rng.IntN(2) == 0 {
			n = (rng.Uint64N(2000) + 1) * 1000
		}
		q := &all[i]
		kind := i % 5
		if kind != 2 {
			q.N = spell(rng, n)
			q.args = append(q.args, "-n", fmt.Sprint(n))
		}
		if kind == 0 || kind == 2 || kind == 4 {
			q.P = spellings[rng.IntN(len(spellings))]
			q.args = append(q.args, "-fpr", rates[q.P])
		}
		if kind == 1 || kind == 2 || kind == 3 {
			q.M = named[rng.IntN(len(named))]
			q.args = append(q.args, "-m", sizes[q.M])
		}
		if kind >= 3 {
			k := fmt.Sprint(rng.IntN(16) + 1)
			q.K, q.args = k, append(q.args, "-k", k)
		}
	}
	return all
}

// calculatorShapes are the rows of the page.
var calculatorShapes = []struct {
	name, flags string
	block       uint64
	k           string
	hashing     bloomproof.Hashing
}{
	{name: "standard"},
	{name: "classic", flags: "-hashing classic", hashing: bloomproof.Classic},
	{name: "partitioned", flags: "-hashing partitioned", hashing: bloomproof.Partitioned},
	{name: "blocks of 512", flags: "-block 512", block: 512},
	{name: "blocks of 512, a bit in each word of 64", flags: "-block 512 -hashing partitioned", block: 512, k: "8", hashing: bloomproof.Partitioned},
	{name: "blocks of 256, a bit in each word of 32", flags: "-block 256 -hashing partitioned", block: 256, k: "8", hashing: bloomproof.Partitioned},
}

// For numbers as people write them, the page shows in each row what the command prints, plots the
// point, and writes code that makes the filter.
func TestCalculatorAgrees(t *testing.T) {
	longtest.Only(t, "a browser takes seconds to start, and TestServe asks for the same answers")
	calculatorAgrees(t, answeredPage, calculatorQuestions(200))
}

// calculatorAgrees holds what a page shows to what the command prints.
func calculatorAgrees(t *testing.T, show shownPage, questions []calculatorQuestion) {
	t.Helper()
	run := askCalculator(t, show, questions)
	if len(run.Errors) > 0 || len(run.Answers) != len(questions) {
		t.Fatalf("%d answers, errors %q", len(run.Answers), run.Errors)
	}
	refused := 0
	for i, q := range questions {
		got := run.Answers[i]
		if got.Status != "Done." || len(got.Rows) != len(calculatorShapes) {
			t.Errorf("%+v: %s, %d rows", q, got.Status, len(got.Rows))
			continue
		}
		for s, shape := range calculatorShapes {
			args := append([]string{"size", "-json"}, q.args...)
			if at := slices.Index(args, "-m"); at >= 0 && shape.block > 0 {
				var m uint64
				_, _ = fmt.Sscan(args[at+1], &m)
				args[at+1] = fmt.Sprint(m / shape.block * shape.block)
			}
			if at := slices.Index(args, "-k"); at >= 0 && shape.k != "" {
				args[at+1] = shape.k
			} else if shape.k != "" {
				args = append(args, "-k", shape.k)
			}
			_, text, _ := try(nil, append(args, strings.Fields(shape.flags)...)...)
			var want struct {
				sizeAnswer
				Error *struct{ Parameter, Message string }
			}
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			row := got.Rows[s]
			if want.Error != nil {
				refused++
				if len(row) != 2 || !strings.HasSuffix(row[1], want.Error.Message) {
					t.Errorf("%v %s: %q, want %s", q, shape.name, row, want.Error.Message)
				}
				continue
			}
			if len(row) != 11 || row[0] != shape.name || strings.ReplaceAll(row[1], ",", "") != want.M.String() || row[4] != want.K.String() ||
				strings.ReplaceAll(row[6], ",", "") != want.N.String() || row[7] != want.FPR.Mid {
				t.Errorf("%v %s: %q, want m=%s k=%s n=%s %s", q, shape.name, row, want.M, want.K, want.N, want.FPR.Mid)
			}
			if s == 0 {
				checkChosen(t, got, want.sizeAnswer)
			}
		}
	}
	if all := len(questions) * len(calculatorShapes); refused > all/3 {
		t.Errorf("%d of %d answers were refusals", refused, all)
	}
}

// checkChosen holds what the page says of one shape to the command.
func checkChosen(t *testing.T, got calculatorAnswer, want sizeAnswer) {
	t.Helper()
	var g bloomproof.Geometry
	if _, err := fmt.Sscanf(got.Go, "filter, err := kernel.New(bloomproof.Geometry{M: %d, K: %d}", &g.M, &g.K); err != nil {
		t.Errorf("%s: %v", got.Go, err)
	} else if g.M > 1<<32 {
		return // more memory than a test may take
	} else if f, err := kernel.New(g, kernel.Options{}); err != nil || fmt.Sprint(f.Geometry().M, f.Geometry().K) != want.M.String()+" "+want.K.String() {
		t.Errorf("%s: %v", got.Go, err)
	}
	_, printed, _ := try(nil, append(strings.Fields(got.Command)[1:], "-json")...)
	var again sizeAnswer
	if err := json.Unmarshal([]byte(printed), &again); err != nil || again != want {
		t.Errorf("%s: %s", got.Command, printed)
	}
	if got.Plots != 3 || got.Address == "" {
		t.Errorf("%s: %d points in plots, address %q", got.Command, got.Plots, got.Address)
	}
}

// oddInputs are what people, their keyboards and their links give a page that asks for numbers.
var oddInputs = []calculatorQuestion{
	{N: "12 bananas", P: "1 %"}, {N: "-5", P: "0.01"}, {N: "1e30", P: "0.01"}, {N: "0", P: "0.1"}, {N: "1,00", P: "0.1"}, {N: "1.5", P: "0.1"},
	{N: "10", P: "0"}, {N: "10", P: "100 %"}, {N: "10", P: "NaN"}, {N: "10", M: "16 furlongs"}, {N: "10", P: "1 in 0"}, {N: "10", P: "0.1", K: "5000"},
	{N: "10", M: "16 Mb"}, {N: "10", M: "800 b"}, {N: "10", P: "1.5"}, {N: "10 MiB", P: "0.1"}, {N: "5 constructor", P: "0.1"}, {N: "10", M: "5 toString"}, {N: "9^99999", P: "0.1"}, {N: "<img src=x onerror=alert(1)>", P: "0.1"},
	{N: "1e400", P: "0.1"}, {N: "Infinity", P: "0.1"}, {N: "0x10", P: "0.1"}, {N: "\u0661\u0662\u0663", P: "0.1"}, {N: "\uff11\uff10", P: "0.1"}, {N: "10", P: "0,01"}, {N: "1.000.000", P: "0.1"},
	{N: "10\t20", P: "0.1"}, {N: "10", P: "-1 %"}, {N: "10", P: "1e-99999"}, {N: "10", M: "\u221e"}, {N: "10", P: "1 in 1"}, {N: "10", P: "0.1", K: "0"}, {N: "10", P: "0.1", K: "-1"}, {N: "10", P: "0.1", K: "2.5"},
	{N: strings.Repeat("9", 5000), P: "0.1"}, {N: "10", P: "0x1p-3"}, {N: "10", M: "18446744073709551616"}, {N: "10", P: "1/1/2"}, {N: "10; rm -rf /", P: "0.1"},
	{N: "<script>alert(1)</script>", P: "\"><svg onload=alert(1)>", Link: true}, {N: "javascript:alert(1)", P: "%00", Link: true},
}

// calculatorRefuses asserts that the page explains, beside the field, why it cannot read an input, and that it then
// computes nothing.
func calculatorRefuses(t *testing.T, show shownPage) {
	t.Helper()
	run := askCalculator(t, show, append(slices.Clone(oddInputs), calculatorQuestion{N: "5"}, calculatorQuestion{N: "\t 1 million\n", P: " 1 in a million\t"}))
	if len(run.Errors) > 0 || len(run.Answers) != len(oddInputs)+2 {
		t.Fatalf("%d answers, errors %q", len(run.Answers), run.Errors)
	}
	for i, q := range oddInputs {
		got := run.Answers[i]
		if got.Status != "A value cannot be read." || !strings.Contains(strings.Join(got.Reads, "\n"), "must be") && !strings.Contains(strings.Join(got.Reads, "\n"), "may be") {
			t.Errorf("%+v: %s %q", q, got.Status, got.Reads)
		}
	}
	if got := run.Answers[len(oddInputs)].Status; got != "Two of items, rate and size are needed." {
		t.Error(got)
	}
	if got := run.Answers[len(oddInputs)+1]; got.Status != "Done." || got.Reads[0] != "1,000,000" {
		t.Errorf("%+v", got)
	}
}

func TestCalculatorRefuses(t *testing.T) {
	longtest.Only(t, "TestCalculatorAgrees looks at the same page, and a browser takes seconds to start")
	calculatorRefuses(t, servedPage)
}

// axe-core finds nothing that readers of the screen lack. "make axe" gets it.
func TestCalculatorAxe(t *testing.T) {
	path := os.Getenv("BLOOMPROOF_AXE")
	if path == "" {
		t.Skip("BLOOMPROOF_AXE does not name the file of axe-core; make axe fetches that file from npm and runs this test")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", "recycling.html"} {
		page, err := calculator.ReadFile("calculator/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if run := inBrowser(t, servedPage, string(page)+looker, map[string][]byte{"/axe.js": axe}); len(run.Errors) > 0 {
			t.Errorf("%s: axe found %q", name, run.Errors)
		}
	}
}
