package main

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bloomproof/bloomproof/verify/longtest"
)

// The calculator as a static site answers as the command line does, by WebAssembly in workers. "make site" writes it.
func TestSite(t *testing.T) {
	longtest.Only(t, "building for WebAssembly takes half a minute")
	dir := siteFolder(t)
	show := func(testing.TB, net.Addr) http.Handler { return http.FileServer(http.Dir(dir)) }
	t.Run("agrees", func(t *testing.T) { calculatorAgrees(t, show, calculatorQuestions(30)) })
	t.Run("refuses", func(t *testing.T) { calculatorRefuses(t, show) })
	t.Run("recycling agrees", func(t *testing.T) { recyclingAgrees(t, show, recyclingQuestions(4)) })
	t.Run("recycling refuses", func(t *testing.T) { recyclingRefuses(t, show) })
}

// siteFolder returns a folder with the site.
func siteFolder(tb testing.TB) string {
	tb.Helper()
	longtest.Program(tb, "chromium")
	dir := tb.TempDir()
	if out, err := exec.Command(filepath.Join("..", "..", ".ci", "site"), dir).CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	return dir
}

// timer is a page that opens the calculator in a frame again and again, and sends when it had its answers.
const timer = `<!DOCTYPE html><title>timer</title><iframe id="f" width="1280" height="900"></iframe>
<script>
` + sending + `const frame = document.getElementById("f");
(async () => {
  const times = [];
  for (let i = 0; i < %d; i++) {
    frame.src = "/?n=1e6&p=1%%25&i=" + i;
    await new Promise((wake) => frame.addEventListener("load", wake, { once: true }));
    const w = frame.contentWindow;
    while (w.document.getElementById("status").textContent !== "Done.") await new Promise((wake) => setTimeout(wake, 5));
    const marks = Object.fromEntries(w.performance.getEntriesByType("mark").reverse().map((m) => [m.name, m.startTime]));
    times.push({ ...marks, done: w.performance.now() });
  }
  await send({ times });
})();
</script>`

// BenchmarkFirstAnswer has a browser open the calculator, whose files are cached after the first time. The metrics are
// milliseconds: from the start of the navigation to the first answer (first), to the proven answers for all shapes
// (proven) and to the plots (done); on the site also until a worker is ready to answer, and from there to the first answer.
func BenchmarkFirstAnswer(b *testing.B) {
	for _, c := range []struct {
		name string
		show func(b *testing.B) shownPage
	}{
		{"site", func(b *testing.B) shownPage {
			dir := siteFolder(b)
			return func(testing.TB, net.Addr) http.Handler { return http.FileServer(http.Dir(dir)) }
		}},
		{"server", func(*testing.B) shownPage { return servedPage }},
	} {
		b.Run("page="+c.name, func(b *testing.B) {
			show := c.show(b)
			b.ResetTimer()
			run := inBrowser(b, show, fmt.Sprintf(timer, b.N), nil)
			if len(run.Times) != b.N || len(run.Errors) > 0 {
				b.Fatalf("%d times, errors %q", len(run.Times), run.Errors)
			}
			sum := map[string]float64{}
			for _, x := range run.Times {
				for name, ms := range x {
					sum[name] += ms
				}
			}
			of := func(name string) float64 { return sum[name] / float64(b.N) }
			b.ReportMetric(of("first answer"), "first-ms")
			b.ReportMetric(of("proven answer"), "proven-ms")
			b.ReportMetric(of("done"), "done-ms")
			if ready := of("ready"); ready > 0 {
				b.ReportMetric(ready, "ready-ms")
				b.ReportMetric(of("first answer")-ready, "first-after-ready-ms")
			}
		})
	}
}
