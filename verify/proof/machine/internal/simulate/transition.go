package simulate

import (
	"fmt"
	"strings"
)

// The function "transitions" returns the texts of the twins of TransitionRows and TransitionSums that process 8 states
// in a turn. The lanes of a turn are the states base to base+some-1. In lane $, the numbers of set and clear bits at the
// beginning of a turn are s$ and c$. Within the turn, t$ and u$ are these numbers in the present row. The variable h5_$
// is the polynomial of degree 5, and f$ is the factor of the products. As in the kernels, a key of k positions enters
// the triangle at degree k, and every row is one degree lower. The numbers of bits are the sums of the kernel, in its
// order. They are those of the portable function because the sums are exact.
func transitions() string {
	const (
		lanes = 8
		most  = 12
	)
	// If a turn has fewer than 8 states, the statements of the other lanes are skipped.
	some := func(label, statement string) (out string) {
		for l := range lanes {
			out += "\t" + strings.ReplaceAll(statement, "$", fmt.Sprint(l)) + "\n"
			if l < lanes-1 {
				out += fmt.Sprintf("\tif some == %d goto %s\n", l+1, label)
			}
		}
		return out + label + ":\n"
	}
	all := func(statements ...string) (out string) {
		for _, s := range statements {
			for l := range lanes {
				out += "\t" + strings.ReplaceAll(s, "$", fmt.Sprint(l)) + "\n"
			}
		}
		return out
	}
	twin := func(head, weights, row, store, next string) string {
		text := head + all("s$ = fadd(set, fmul(unit, fint($)))", "c$ = fsub(clear, fmul(unit, fint($)))") +
			"\tbase = 0\n\tleft = n - 8\n\tsome = 8\n\tif less(n, 8) goto last\nturn:\n" +
			all("t$ = s$", "u$ = c$") + weights + row + "\tif k == 0 goto out0\n" + all("h1_$ = t$") + "\tif k == 1 goto out1\n"
		for i := 2; i <= most; i++ {
			text += all(fmt.Sprintf("h%d_$ = fmul(t$, h%d_$)", i, i-1))
			if i < most {
				text += fmt.Sprintf("\tif k == %d goto out%d\n", i, i)
			}
		}
		for i := most; i > 0; i-- {
			text += fmt.Sprintf("out%d:\n", i) + some(fmt.Sprintf("row%d", i), strings.ReplaceAll(store, "VALUE", fmt.Sprintf("fmul(f$, h%d_$)", i))) +
				next + all("f$ = fmul(f$, u$)", "t$ = fadd(t$, unit)", "u$ = fsub(u$, unit)")
			for j := 1; j < i; j++ {
				grow := "t$"
				if j > 1 {
					grow = fmt.Sprintf("fmul(t$, h%d_$)", j-1)
				}
				text += all(fmt.Sprintf("h%d_$ = fadd(h%d_$, %s)", j, j, grow))
			}
		}
		return text + "out0:\n" + some("row0", strings.ReplaceAll(store, "VALUE", "f$")) +
			all("s$ = fadd(s$, wide)", "c$ = fsub(c$, wide)") + `
	base = base + 8
	if some == 8 goto whole
	goto done
whole:
	if less(left, 8) goto low
	left = left - 8
	goto turn
low:
	left = left - 8
last:
	some = left + 8
	left = 0
	if some == 0 goto done
	goto turn
done:
	return
`
	}
	return twin(`
twin TransitionRows8(dst []float64, stride, k int, set, clear, unit, scale float64)
	if !(k < 12 || k == 12) goto done
	if !(stride < len(dst) || stride == len(dst)) goto done
	n = len(dst) - k * stride
	if len(dst) == k * stride || less(len(dst), k * stride) goto done
	if !(n == stride || less(n, stride)) goto done
	wide = fmul(fint(8), unit)
`, all("f$ = scale"), "\trow = base\n", "dst[row + $] = VALUE", "\trow = row + stride\n") + twin(`
twin TransitionSums8(part, w []float64, k int, set, clear, unit, scale float64)
	if !(k < 12 || k == 12) goto done
	if len(part) >> 3 == k || less(len(part) >> 3, k) goto done
	n = len(w)
	wide = fmul(fint(8), unit)
`, all("f$ = 0")+some("weighed", "f$ = fmul(scale, w[base + $])"), "\trow = 0\n", "part[row + $] = fadd(VALUE, part[row + $])", "\trow = row + 8\n")
}
