package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// The type "progress" rewrites one line on a terminal once a second. It writes nothing in the first second.
type progress struct {
	w     io.Writer // nil without a terminal
	last  time.Time
	shown bool
}

func newProgress(w io.Writer) *progress {
	p := &progress{last: time.Now()}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.w = w
		}
	}
	return p
}

// The method "show" prints a line unless one was printed within the last second.
func (p *progress) show(format string, args ...any) {
	if p.w == nil || time.Since(p.last) < time.Second {
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K"+format, args...)
	p.last, p.shown = time.Now(), true
}

// The function "bar" returns text in the form of a bar. The bar shows the share of the work that is done.
func bar(share float64) string {
	const width = 20
	full := int(share * width)
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
}

// The method "done" clears the line on the terminal.
func (p *progress) done() {
	if p.shown {
		p.wipe()
	}
}

func (p *progress) wipe() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Once a second, the method "clock" shows how many seconds the work has taken. The result "stop" is a function that
// ends this display.
func (p *progress) clock(work string) (stop func()) {
	begin, end, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show("%s, %.0f s", work, time.Since(begin).Seconds())
			case <-end:
				p.done()
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
