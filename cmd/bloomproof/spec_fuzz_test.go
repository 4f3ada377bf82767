package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bloomproof/bloomproof"
)

// FuzzSpec reads a text as a popularity, as a law of arrivals, as a list of committees, as a
// probability and as a fraction, and stdin as a file of weights: the text is refused with an error
// that names its flag, or gives the value that it describes, and the printed form of this value
// gives the same value again.
func FuzzSpec(f *testing.F) {
	f.Fuzz(func(t *testing.T, spec string, stdin []byte) {
		read := func(stdin []byte, flags ...string) *call {
			specs := []flagSpec{popularityFlag, arrivalsFlag, repeatFlag, {"warmup", "F", ""}, {"committees", "LIST", ""}, mFlag}
			in, err := parse(specs, flags)
			if err != nil {
				t.Fatalf("%q: %v", flags, err)
			}
			return &call{inputs: in, ctx: context.Background(), stdin: bytes.NewReader(stdin)}
		}
		refused := func(err error, names ...string) bool {
			var value *bloomproof.ParamError
			var usage *usageError
			var io *ioError
			switch {
			case err == nil:
				return false
			case errors.As(err, &value) && slices.Contains(names, value.Param):
			case errors.As(err, &usage) && slices.Contains(names, usage.param) && len(usage.message) < 4*len(spec)+400:
			case errors.As(err, &io) && slices.Contains(names, io.param):
			default:
				t.Fatalf("%q is refused by %T %v", spec, err, err)
			}
			return true
		}
		if !strings.HasPrefix(spec, "file:") { // which could be any
			c := read(stdin, "-popularity="+spec, "-repeat=0.5")
			w := c.workload()
			if !refused(c.err, "popularity") {
				if err := w.Validate(); err != nil {
					t.Fatalf("%q gives %v: %v", spec, w, err)
				}
				again := w.Popularity.String()
				if c := read(stdin, "-popularity="+again, "-repeat=0.5"); len(w.Popularity.Weights) <= 8 && !strings.ContainsAny(again, "+") {
					if v := c.workload(); c.err != nil || v.Popularity.String() != again {
						t.Fatalf("%q is %s, which gives %v, %v", spec, again, v, c.err)
					}
				}
			}
			c = read(stdin, "-arrivals="+spec, "-popularity=uniform:3", "-repeat=0.5")
			if w := c.workload(); !refused(c.err, "arrivals") && w.Arrivals.String() != spec {
				t.Fatalf("%q gives arrivals %v", spec, w.Arrivals)
			}
		}
		checkFile(t, read, refused, stdin)
		c := read(nil, "-committees="+spec)
		const m = 1 << 20
		list := c.departments("committees", m)
		if !refused(c.err, "committees") {
			var text []string
			for _, d := range list {
				var groups []string
				for _, g := range d {
					if g.Size < 1 || g.Size > m {
						t.Fatalf("%q gives %v", spec, list)
					}
					groups = append(groups, fmt.Sprintf("%dx%d", g.Size, g.Count))
				}
				text = append(text, strings.Join(groups, "+"))
			}
			again := read(nil, "-committees="+strings.Join(text, ","))
			if got := again.departments("committees", m); fmt.Sprint(got) != fmt.Sprint(list) {
				t.Fatalf("%q gives %v, and %v again", spec, list, got)
			}
		}
		c = read(nil, "-repeat="+spec, "-warmup="+spec)
		r, decimal := parseDecimal(spec)
		p := c.probability("repeat")
		if bad := refused(c.err, "repeat"); bad == (decimal && r.Cmp(big.NewRat(1, 1)) <= 0) || p < 0 || p > 1 {
			t.Fatalf("probability %q: %v, %v", spec, p, c.err)
		}
		c.err = nil
		x, _ := c.fraction("warmup")
		if bad := refused(c.err, "warmup"); bad == (decimal && r.Cmp(big.NewRat(1, 1)) < 0) || !bad && x.Cmp(r) != 0 {
			t.Fatalf("fraction %q: %v, %v", spec, x, c.err)
		}
	})
}

// checkFile reads a file of weights: one of lines that are decimals is the list of them.
func checkFile(t *testing.T, read func([]byte, ...string) *call, refused func(error, ...string) bool, stdin []byte) {
	if bytes.HasPrefix(stdin, []byte{0x1f, 0x8b}) {
		return // compressed
	}
	c := read(stdin, "-popularity=file:-", "-repeat=0.5")
	w := c.workload()
	bad := refused(c.err, "popularity")
	lines := strings.Split(strings.TrimSuffix(string(stdin), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	list := read(nil, "-popularity=list:"+strings.Join(lines, ","), "-repeat=0.5")
	v := list.workload()
	if len(stdin) == 0 || strings.Contains(string(stdin), ",") {
		if !bad {
			t.Fatalf("file %q gives %v", stdin, w)
		}
		return
	}
	if bad != (list.err != nil) || !slices.Equal(w.Popularity.Weights, v.Popularity.Weights) && !bad {
		t.Fatalf("file %q gives %v, %v; as a list %v, %v", stdin, w, c.err, v, list.err)
	}
}
