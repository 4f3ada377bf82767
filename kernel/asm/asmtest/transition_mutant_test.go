package asmtest

import (
	"math"
	"math/bits"
	"strings"
	"testing"
	"unsafe"

	"github.com/bloomproof/bloomproof/kernel/asm"
	"github.com/bloomproof/bloomproof/verify/longtest"
)

// turned calls f on the states from a turn of step states to the next, with the numbers
// of its first state.
func turned(n, step int, c TransitionCall, f func(c TransitionCall, from, to int)) {
	for from := 0; from < n; from += step {
		d := c
		d.Set += float64(from) * c.Unit
		d.Clear -= float64(from) * c.Unit
		f(d, from, min(from+step, n))
	}
}

// growth is the recursion for one state, with the sum and the product in other hands.
func growth(c TransitionCall, j int, scale float64, grow func(h, below, set float64) float64) (out [13]float64) {
	var h [13]float64
	set, clear := c.Set+float64(j)*c.Unit, c.Clear-float64(j)*c.Unit
	for d := 0; d <= c.K; d++ {
		below := 1.0
		for i := 1; i <= c.K-d; i++ {
			below = grow(h[i], below, set)
			h[i] = below
		}
		out[d] = float64(below * scale)
		scale *= clear
		set += c.Unit
		clear -= c.Unit
	}
	return out
}

// rowsBy and sumsBy are kernels in which out gives the rows of a state.
func rowsBy(out func(c TransitionCall, j int, scale float64) [13]float64) TransitionFunc {
	return func(c TransitionCall) {
		if before := len(c.A); !refuses(c, Rows) {
			for j := range before - c.K*c.Stride {
				for d, v := range out(c, j, c.Scale) {
					if d <= c.K {
						c.A[d*c.Stride+j] = v
					}
				}
			}
		}
	}
}

func sumsBy(out func(c TransitionCall, j int, scale float64) [13]float64) TransitionFunc {
	return func(c TransitionCall) {
		if !refuses(c, Sums) {
			for j, w := range c.B {
				for d, v := range out(c, j, c.Scale*w) {
					if d <= c.K {
						c.A[8*d+j%8] += v
					}
				}
			}
		}
	}
}

// refuses reports whether the operation does nothing.
func refuses(c TransitionCall, form TransitionForm) bool {
	if c.K < 0 || c.K > asm.TransitionMaxK {
		return true
	}
	if form == Sums {
		return len(c.A) < 8*(c.K+1)
	}
	n := len(c.A) - c.K*c.Stride
	return c.Stride < 0 || c.Stride > len(c.A) || n < 0 || n > c.Stride
}

// lawful is growth as it should be.
func lawful(c TransitionCall, j int, scale float64) [13]float64 {
	return growth(c, j, scale, func(h, below, set float64) float64 { return h + float64(below*set) })
}

// stepBy is a kernel of one element at a time, upwards or downwards.
func stepBy(up bool, f func(c TransitionCall, j int, set, clear float64) float64) TransitionFunc {
	return func(c TransitionCall) {
		n := min(len(c.A), len(c.B))
		for i := range n {
			j := n - 1 - i
			if up {
				j = i
			}
			c.A[j] = f(c, j, c.Set+float64(j)*c.Unit, c.Clear-float64(j)*c.Unit)
		}
	}
}

func stepped(c TransitionCall, j int, set, clear float64) float64 {
	return float64((float64(c.A[j]*set) + float64(c.B[j]*clear)) * c.Scale)
}

func flushed(v float64) float64 {
	if math.Abs(v) < 0x1p-1022 {
		return math.Copysign(0, v)
	}
	return v
}

var (
	rowsRight = rowsFunc(asm.TransitionRowsPortable)
	sumsRight = sumsFunc(asm.TransitionSumsPortable)
	stepRight = stepFunc(asm.TransitionStepPortable)
)

// pastFloat reads the element after v and changes nothing.
func pastFloat(v []float64) {
	p := (*float64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), 8*len(v)))
	peeked = math.Float64bits(*p)
}

// transitionMutants are kernels of the transition family broken on purpose, one fault
// each. The table must catch all of them.
var transitionMutants = []struct {
	name  string
	op    string
	guard bool // seen only where forbidden pages surround the arguments
	f     TransitionFunc
}{
	{"fused multiply and add", "TransitionRows", false, rowsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		return growth(c, j, scale, func(h, below, set float64) float64 { return math.FMA(below, set, h) })
	})},
	{"fused multiply and add", "TransitionSums", false, sumsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		return growth(c, j, scale, func(h, below, set float64) float64 { return math.FMA(below, set, h) })
	})},
	{"fused multiply and add", "TransitionStep", false, stepBy(false, func(c TransitionCall, j int, set, clear float64) float64 {
		return math.FMA(c.A[j], set, c.B[j]*clear) * c.Scale
	})},
	{"subnormals flushed", "TransitionSums", false, sumsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		out := lawful(c, j, flushed(scale))
		for d := range out {
			out[d] = flushed(out[d])
		}
		return out
	})},
	{"subnormals flushed", "TransitionStep", false, stepBy(false, func(c TransitionCall, j int, set, clear float64) float64 {
		return flushed(stepped(c, j, set, clear))
	})},
	{"zeros lose their sign", "TransitionStep", false, stepBy(false, func(c TransitionCall, j int, set, clear float64) float64 {
		return stepped(c, j, set, clear) + 0
	})},
	{"zeros lose their sign", "TransitionRows", false, rowsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		out := lawful(c, j, scale)
		for d := range out {
			out[d] += 0
		}
		return out
	})},
	{"sums of no state get a zero", "TransitionSums", false, func(c TransitionCall) {
		if !refuses(c, Sums) && len(c.B)%8 != 0 {
			for d := 0; d <= c.K; d++ {
				for lane := len(c.B) % 8; lane < 8; lane++ {
					c.A[8*d+lane] += 0
				}
			}
		}
		sumsRight(c)
	}},
	{"scale applied first", "TransitionStep", false, stepBy(false, func(c TransitionCall, j int, set, clear float64) float64 {
		return float64(c.A[j]*c.Scale*set) + float64(c.B[j]*c.Scale*clear)
	})},
	{"scale applied last", "TransitionRows", false, rowsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		out := lawful(c, j, 1)
		for d := range out {
			out[d] *= scale
		}
		return out
	})},
	{"weight applied last", "TransitionSums", false, func(c TransitionCall) {
		if !refuses(c, Sums) {
			for j, w := range c.B {
				for d, v := range lawful(c, j, c.Scale) {
					if d <= c.K {
						c.A[8*d+j%8] += v * w
					}
				}
			}
		}
	}},
	{"four sums for eight", "TransitionSums", false, func(c TransitionCall) {
		if !refuses(c, Sums) {
			for j, w := range c.B {
				for d, v := range lawful(c, j, c.Scale*w) {
					if d <= c.K {
						c.A[8*d+j%4] += v
					}
				}
			}
		}
	}},
	{"turns added up before the sums", "TransitionSums", false, func(c TransitionCall) {
		var sums [8 * 13]float64
		d := c
		d.A = sums[:]
		if !refuses(c, Sums) {
			sumsRight(d)
			for i := range 8 * (c.K + 1) {
				c.A[i] += sums[i]
			}
		}
	}},
	{"last state dropped", "TransitionRows", false, func(c TransitionCall) {
		if n := len(c.A) - c.K*c.Stride; !refuses(c, Rows) && n%8 == 7 {
			c.A = c.A[:len(c.A)-1]
		}
		rowsRight(c)
	}},
	{"last state dropped", "TransitionSums", false, func(c TransitionCall) {
		if len(c.B)%4 == 3 {
			c.B = c.B[:len(c.B)-1]
		}
		sumsRight(c)
	}},
	{"lowest element dropped", "TransitionStep", false, func(c TransitionCall) {
		if n := min(len(c.A), len(c.B)); n%8 == 1 {
			c.A, c.B = c.A[1:], c.B[1:]
			c.Set += c.Unit
			c.Clear -= c.Unit
		}
		stepRight(c)
	}},
	{"last turn stored whole", "TransitionRows", false, func(c TransitionCall) {
		n := len(c.A) - c.K*c.Stride
		if whole := (n + 7) &^ 7; !refuses(c, Rows) && c.K > 0 && whole <= c.Stride {
			for d := 0; d < c.K; d++ { // the last row ends with the argument
				for j := n; j < whole; j++ {
					c.A[d*c.Stride+j] = 0
				}
			}
		}
		rowsRight(c)
	}},
	{"states of the last turn begin anew", "TransitionRows", false, func(c TransitionCall) {
		if n := len(c.A) - c.K*c.Stride; !refuses(c, Rows) {
			rowsRight(c)
			if tail := n & 7; n > 8 && tail > 0 {
				c.A = c.A[n-tail:]
				rowsRight(c)
			}
		}
	}},
	{"bits of turns of four in single precision", "TransitionSums", false, func(c TransitionCall) {
		if refuses(c, Sums) {
			return
		}
		turned(len(c.B), 4, c, func(d TransitionCall, from, to int) {
			for j := from; j < to; j++ {
				d.Clear = float64(float32(d.Clear))
				for i, v := range lawful(d, j-from, c.Scale*c.B[j]) {
					if i <= c.K {
						c.A[8*i+j%8] += v
					}
				}
			}
		})
	}},
	{"twelve positions taken for eleven", "TransitionRows", false, rowsBy(func(c TransitionCall, j int, scale float64) [13]float64 {
		c.K = min(c.K, 11)
		return lawful(c, j, scale)
	})},
	{"thirteen positions followed", "TransitionSums", false, func(c TransitionCall) {
		if c.K == 13 {
			c.K--
		}
		sumsRight(c)
	}},
	{"k compared in 32 bits", "TransitionRows", false, func(c TransitionCall) {
		c.K = int(int32(c.K))
		rowsRight(c)
	}},
	{"stride compared in 32 bits", "TransitionRows", false, func(c TransitionCall) {
		if uint32(c.Stride) <= uint32(len(c.A)) && c.K == 0 {
			c.A = c.A[:uint32(len(c.A))]
			c.Stride = len(c.A)
		}
		rowsRight(c)
	}},
	{"sums compared in 32 bits", "TransitionSums", false, func(c TransitionCall) {
		if int32(len(c.A)>>3) > int32(c.K) {
			sumsRight(c)
		}
	}},
	{"lengths compared in 32 bits", "TransitionStep", false, func(c TransitionCall) {
		if uint32(len(c.A)) < uint32(len(c.B)) {
			c.B = c.B[:min(len(c.A), len(c.B))]
		} else {
			c.A = c.A[:uint32(len(c.A))]
		}
		stepRight(c)
	}},
	{"weights counted in 32 bits", "TransitionSums", true, func(c TransitionCall) {
		c.B = c.B[:uint32(len(c.B))]
		sumsRight(c)
	}},
	{"states counted in 32 bits", "TransitionStep", true, func(c TransitionCall) {
		n := min(len(c.A), len(c.B))
		c.A, c.B = c.A[n-int(uint32(n)):n], c.B[n-int(uint32(n)):n]
		stepRight(c)
	}},
	{"capacity for the length", "TransitionSums", false, func(c TransitionCall) {
		c.B = c.B[:cap(c.B)]
		sumsRight(c)
	}},
	{"capacity for the length", "TransitionStep", false, func(c TransitionCall) {
		c.A, c.B = c.A[:cap(c.A)], c.B[:cap(c.B)]
		stepRight(c)
	}},
	{"stale polynomial of the turn before", "TransitionRows", false, func(c TransitionCall) {
		if refuses(c, Rows) {
			return
		}
		n := len(c.A) - c.K*c.Stride
		rowsRight(c)
		if c.K == 7 && n > 8 {
			c.A[6*c.Stride+8] = c.A[6*c.Stride]
		}
	}},
	{"too few sums not refused", "TransitionSums", false, func(c TransitionCall) {
		if n := len(c.A) / 8; c.K > 0 && c.K <= 12 && n == c.K && len(c.A)%8 >= 5 {
			c.K = n - 1
		}
		sumsRight(c)
	}},
	{"stride not compared with the states", "TransitionRows", false, func(c TransitionCall) {
		if n := len(c.A) - c.K*c.Stride; c.K > 0 && c.K <= 12 && c.Stride > 0 && c.Stride <= len(c.A) && n > c.Stride {
			c.A[0] = 0
		}
		rowsRight(c)
	}},
	{"upwards", "TransitionStep", false, stepBy(true, stepped)},
	{"turns upwards", "TransitionStep", false, func(c TransitionCall) {
		n := min(len(c.A), len(c.B))
		turned(n, 4, c, func(d TransitionCall, from, to int) {
			d.A, d.B = c.A[from:to], append([]float64{}, c.B[from:to]...)
			stepRight(d)
		})
	}},
	{"longer argument taken", "TransitionStep", false, func(c TransitionCall) {
		if len(c.A) > len(c.B) {
			c.A[len(c.B)] *= 0.5
		}
		stepRight(c)
	}},
	{"only many turns wrong", "TransitionStep", false, func(c TransitionCall) {
		stepRight(c)
		if len(c.A) > 4096 {
			c.A[0] = -c.A[0]
		}
	}},
	{"weight after the last read", "TransitionSums", true, func(c TransitionCall) {
		if len(c.B)%8 != 0 {
			pastFloat(c.B)
		}
		sumsRight(c)
	}},
	{"element after the last read", "TransitionStep", true, func(c TransitionCall) {
		if len(c.B) == 7 {
			pastFloat(c.B)
		}
		stepRight(c)
	}},
	{"row after the last written", "TransitionRows", false, func(c TransitionCall) {
		rowsRight(c)
		if len(c.A) > 0 {
			*(*float64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(c.A)), 8*len(c.A))) = 0
		}
	}},
}

// TestTransitionMutants asserts that the table catches every broken kernel, and that what
// it prints names the kernel and is small.
func TestTransitionMutants(t *testing.T) {
	for _, m := range transitionMutants {
		t.Run(m.op+"/"+strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			if m.guard && !Guarded() {
				t.Log("no forbidden pages on this system: this fault cannot be seen here")
				return
			}
			if bits.UintSize == 32 && strings.Contains(m.name, "in 32 bits") {
				return // an int has no more
			}
			for _, short := range longtest.More([]bool{true}, []bool{true, false}) {
				_, err := RunTransition(transitionMutant(m.op, m.f), Options{Seed: 1, Short: short})
				if err == nil {
					t.Fatalf("short=%v: not caught", short)
				}
				text := err.Error()
				if !strings.HasPrefix(text, m.op+"/mutant: ") || !strings.Contains(text, "seed 1") || !strings.Contains(text, "length ") {
					t.Errorf("message lacks kernel, seed or length: %s", text)
				}
				if len(text) > 2500 {
					t.Errorf("message of %d bytes: %s", len(text), text)
				}
			}
		})
	}
}

// transitionMutant is the row of op with kernel f.
func transitionMutant(op string, f TransitionFunc) TransitionRow {
	for _, g := range transitionFamily {
		if g.op == op {
			return TransitionRow{op, "mutant", g.form, f, g.portable}
		}
	}
	panic("no operation " + op)
}

// TestTransitionLawful asserts that what the mutants are made from is right.
func TestTransitionLawful(t *testing.T) {
	for _, row := range []TransitionRow{
		transitionMutant("TransitionRows", rowsBy(lawful)),
		transitionMutant("TransitionSums", sumsBy(lawful)),
		transitionMutant("TransitionStep", stepBy(false, stepped)),
	} {
		if n, err := RunTransition(row, Options{Seed: 2, Short: true}); err != nil || n < 500 {
			t.Errorf("%d cases: %v", n, err)
		}
	}
}

// TestTransitionMinimise asserts that a failure is cut down to the state that matters.
func TestTransitionMinimise(t *testing.T) {
	row := transitionMutant("TransitionSums", func(c TransitionCall) {
		sumsRight(c)
		if len(c.B) > 10 && c.B[10] != 0 && !refuses(c, Sums) && c.K >= 2 {
			c.A[16]++
		}
	})
	_, err := RunTransition(row, Options{Seed: 7, Short: true})
	f, ok := err.(*TransitionFailure)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if len(f.c.B) != 11 || f.c.K != 2 {
		t.Errorf("%d states and k = %d, want 11 and 2: %v", len(f.c.B), f.c.K, err)
	}
	for j, w := range f.c.B {
		if (w != 0) != (j == 10) {
			t.Errorf("weight %d is %g, want only weight 10 to be other than 0", j, w)
		}
	}
}
