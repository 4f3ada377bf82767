package main

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// pagesWritten has what pagesOfTrace returned.
var pagesWritten map[string]string

// pagesOfTrace writes the pages of both commands for a trace of a name that HTML has to escape, once for all tests.
func pagesOfTrace(t *testing.T) (pages map[string]string) {
	t.Helper()
	if pagesWritten != nil {
		return pagesWritten
	}
	dir := t.TempDir()
	file := filepath.Join(dir, `<img src="x">&.txt`)
	if err := os.WriteFile(file, shippedText(t)[:longtest.More(200_000, 400_000)], 0o644); err != nil {
		t.Fatal(err)
	}
	pages = map[string]string{}
	for name, args := range map[string][]string{
		"replay":  {"replay", "-m", "2Ki", "-k", "4", "-sigma", "1Ki", "-model", "lower"},
		"sampled": {"replay", "-m", "2Ki", "-k", "4", "-sigma", "1Ki", "-phases", "2", "-memory", "8Ki"},
		"recycle": {"recycle", "-m", "4Ki", "-target", "0.05", "-k", "4", "-phases", "1"},
	} {
		page := filepath.Join(dir, name+".html")
		if err := os.WriteFile(page, []byte("what was there"), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := try(nil, append(args, "-trace", file, "-report", page)...); status != statusOK {
			t.Fatalf("%s: %s", args, stderr)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%s left, %v", left, err)
	}
	pagesWritten = pages
	return pages
}

// A page needs nothing but itself, escapes what it tells of, says of each plot what it shows, and
// has the command's own output.
func TestPage(t *testing.T) {
	for name, text := range pagesOfTrace(t) {
		if outside := regexp.MustCompile(`(?i)<(script|img|link|iframe)|https?:|url\(|@import|src=x|href=`).FindString(text); outside != "" {
			t.Errorf("%s: the page has %q", name, outside)
		}
		for what, least := range map[string]int{"<svg ": 1, "<title id=": 1, "<desc id=": 1, "NaN": 0, "Inf": 0} {
			if n := strings.Count(text, what); n < least || least == 0 && n > 0 {
				t.Errorf("%s: %d of %q", name, n, what)
			}
		}
		if strings.Count(text, "<svg ") != strings.Count(text, "<title id=") || strings.Count(text, "<svg ") != strings.Count(text, "<desc id=") {
			t.Errorf("%s: a plot has no title or no description", name)
		}
		if !strings.Contains(text, "<pre ") || !strings.Contains(text, "filter ") {
			t.Errorf("%s: the command's output is missing", name)
		}
		_, advice, _ := strings.Cut(text, `<p id="advice">`)
		advice, _, _ = strings.Cut(advice, "</p>")
		for _, words := range map[string][]string{
			"replay":  {"The filter has 2048 bits in one array", "It cleared an array ", "false negatives"},
			"sampled": {"each of two arrays", "estimates from a sample"},
			"recycle": {"Use a filter of 4096 bits (512 bytes) in one array, with 4 positions", "Tried on the trace itself it forgot "},
		}[name] {
			if !strings.Contains(advice, words) {
				t.Errorf("%s: %q lacks %q", name, advice, words)
			}
		}
	}
}

// framed is what a page in a frame tells of itself.
type framed struct {
	Width, Window, Plots int
	Text                 float64
	Paper                string
	Found                []string
}

// measuring is put into a page that a browser opens: how wide it is, and which texts of a plot leave
// it or overlap.
const measuring = `<script>
const found = []
for (const svg of document.querySelectorAll("svg")) {
  const of = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")]
  for (const [i, a] of texts.entries()) {
    const p = a.getBoundingClientRect()
    if (p.left < of.left - 1 || p.right > of.right + 1 || p.top < of.top - 1 || p.bottom > of.bottom + 1) found.push("outside: " + a.textContent)
    for (const b of texts.slice(i + 1)) {
      const q = b.getBoundingClientRect()
      if (p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom) found.push(a.textContent + " overlaps " + b.textContent)
    }
  }
}
parent.send({ page: {
  width: document.documentElement.scrollWidth, window: innerWidth, plots: document.querySelectorAll("svg path.c0").length,
  text: parseFloat(getComputedStyle(document.querySelector("p")).fontSize), paper: getComputedStyle(document.body).backgroundColor, found: found,
} })
</script>`

// A browser shows the pages in a frame of 360 pixels without a part outside, and with dark paper to who wants it.
func TestPageInBrowser(t *testing.T) {
	longtest.Only(t, "TestPage looks at the text of the same pages, and a browser takes seconds to start")
	all := pagesOfTrace(t)
	show := func(name string, flags ...string) framed {
		t.Helper()
		text := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(all[name], "")
		text = strings.Replace(text, "</body>", measuring+"</body>", 1)
		frame := `<!DOCTYPE html><script>` + sending + `</script><iframe style="width: 360px; height: 800px; border: 0" srcdoc="` + html.EscapeString(text) + `"></iframe>`
		run := inBrowser(t, noPage, frame, nil, flags...)
		if len(run.Errors) > 0 {
			t.Errorf("%s: errors %q", name, run.Errors)
		}
		return run.Page
	}
	for _, name := range []string{"recycle", "replay", "sampled"} {
		got := show(name)
		if got.Width > 360 || got.Window != 360 || got.Text < 14 || got.Plots == 0 || len(got.Found) > 0 || got.Paper != "rgb(255, 255, 255)" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := show("replay", "--force-dark-mode"); got.Paper != "rgb(22, 22, 22)" {
		t.Errorf("dark: %+v", got)
	}
}

// The label of a tick, centred below it, ends before the edge of the drawing, at either end of the axis.
func TestTickLabelsFit(t *testing.T) {
	const character = 7 // units: the digits of Verdana and DejaVu Sans, the widest of the common fonts, at 11 units a line
	check := func(a axis) {
		for _, v := range a.ticks() {
			label := short3(v)
			if half := character * float64(len(label)) / 2; a.at(v)-half < 0 || a.at(v)+half > plotWidth {
				t.Errorf("%+v: the label %q at %.1f leaves the drawing", a, label, a.at(v))
			}
		}
	}
	for e := -12.; e <= 18; e += 0.25 {
		for _, high := range []float64{1, 1.2, 2, 3, 5, 7.5} {
			v := high * math.Pow(10, e)
			check(newAxis([]float64{0, v}, false, plotLeft, plotRight))
			for _, low := range []float64{v / 20, v / 1e3, v / 1e9, 1e-300} {
				check(newAxis([]float64{low, v}, true, plotLeft, plotRight))
			}
		}
	}
}
