package simulate

import (
	"fmt"
	"strings"
)

// The function "transitions" returns the texts of the twins of TransitionRows and TransitionSums.
func transitions() string { return transitions8() + transitions4() }

// The type "turn" has the number of lanes of a turn of TransitionRows or TransitionSums. The lanes of a turn are the
// states from "base" on. In lane $, the numbers of set and clear bits at the beginning of a turn are s$ and c$. Within
// the turn, t$ and u$ are these numbers in the present row. The variable h5_$ is the polynomial of degree 5, and f$ is
// the factor of the products.
type turn int

// The method "all" returns the given statements for each lane.
func (lanes turn) all(statements ...string) (out string) {
	for _, s := range statements {
		for l := range int(lanes) {
			out += "\t" + strings.ReplaceAll(s, "$", fmt.Sprint(l)) + "\n"
		}
	}
	return out
}

// If a turn has only "some" states, the statement is skipped for the other lanes. After it is the label.
func (lanes turn) some(label, statement string) (out string) {
	for l := range int(lanes) {
		out += "\t" + strings.ReplaceAll(statement, "$", fmt.Sprint(l)) + "\n"
		if l < int(lanes)-1 {
			out += fmt.Sprintf("\tif some == %d goto %s\n", l+1, label)
		}
	}
	return out + label + ":\n"
}

// The method "triangle" returns the steps of a turn. As in the kernels, a key of k positions enters the triangle at
// degree k, and every row is one degree lower. The argument "store" is a function. It returns the steps that store the
// row of a degree, from the value of a lane. The steps "next" go on to the next row.
func (lanes turn) triangle(store func(degree int, value string) string, next string) string {
	const most = 12
	text := lanes.all("t$ = s$", "u$ = c$") + "\tif k == 0 goto out0\n" + lanes.all("h1_$ = t$") + "\tif k == 1 goto out1\n"
	for i := 2; i <= most; i++ {
		text += lanes.all(fmt.Sprintf("h%d_$ = fmul(t$, h%d_$)", i, i-1))
		if i < most {
			text += fmt.Sprintf("\tif k == %d goto out%d\n", i, i)
		}
	}
	for i := most; i > 0; i-- {
		text += fmt.Sprintf("out%d:\n", i) + store(i, fmt.Sprintf("fmul(f$, h%d_$)", i)) + next + lanes.all("f$ = fmul(f$, u$)", "t$ = fadd(t$, unit)", "u$ = fsub(u$, unit)")
		for j := 1; j < i; j++ {
			grow := "t$"
			if j > 1 {
				grow = fmt.Sprintf("fmul(t$, h%d_$)", j-1)
			}
			text += lanes.all(fmt.Sprintf("h%d_$ = fadd(h%d_$, %s)", j, j, grow))
		}
	}
	return text + "out0:\n" + store(0, "f$")
}

// The conditions under which TransitionRows and TransitionSums do something, and the number n of states.
const (
	rowsHead = `
	if !(k < 12 || k == 12) goto done
	if !(stride < len(dst) || stride == len(dst)) goto done
	n = len(dst) - k * stride
	if len(dst) == k * stride || less(len(dst), k * stride) goto done
	if !(n == stride || less(n, stride)) goto done
`
	sumsHead = `
	if !(k < 12 || k == 12) goto done
	if len(part) >> 3 == k || less(len(part) >> 3, k) goto done
	n = len(w)
`
)

// The function transitions8 returns the twins that process 8 states in a turn. The lanes of a turn are the states base
// to base+some-1. The numbers of bits are the sums of the kernel, in its order. They are those of the portable function
// because the sums are exact.
func transitions8() string {
	const lanes turn = 8
	twin := func(head, weights, row, store, next string) string {
		return head + lanes.all("s$ = fadd(set, fmul(unit, fint($)))", "c$ = fsub(clear, fmul(unit, fint($)))") +
			"\tbase = 0\n\tleft = n - 8\n\tsome = 8\n\tif less(n, 8) goto last\nturn:\n" + weights + row +
			lanes.triangle(func(degree int, value string) string {
				return lanes.some(fmt.Sprintf("row%d", degree), strings.ReplaceAll(store, "VALUE", value))
			}, next) + lanes.all("s$ = fadd(s$, wide)", "c$ = fsub(c$, wide)") + `
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
	const wide = "\twide = fmul(fint(8), unit)\n"
	return twin("twin TransitionRows8(dst []float64, stride, k int, set, clear, unit, scale float64)"+rowsHead+wide,
		lanes.all("f$ = scale"), "\trow = base\n", "dst[row + $] = VALUE", "\trow = row + stride\n") +
		twin("twin TransitionSums8(part, w []float64, k int, set, clear, unit, scale float64)"+sumsHead+wide,
			lanes.all("f$ = 0")+lanes.some("weighed", "f$ = fmul(scale, w[base + $])"), "\trow = 0\n", "part[row + $] = fadd(VALUE, part[row + $])", "\trow = row + 8\n")
}

// The function transitions4 returns the twins that process 4 states in a turn. If fewer than 4 are left, the rows of
// this last turn are r0_$ to r12_$, as in the kernel's frame. At the end, each row is copied for the states that are
// left. In TransitionSums, the turns alternate between the two halves of a row of 8 sums. The variable "odd" has the
// number of the half.
func transitions4() string {
	const lanes turn = 4
	const rows = 13
	each := func(statement string) (out string) { // for each row #
		for d := range rows {
			out += lanes.all(strings.ReplaceAll(statement, "#", fmt.Sprint(d)))
		}
		return out
	}
	row := "r0_$" // of the number d
	for d := 1; d < rows; d++ {
		row = fmt.Sprintf("if(d == %d, r%d_$, %s)", d, d, row)
	}
	twin := func(head, begin, store, keep, next, last, copied string) string {
		return head + "\twide = fmul(fint(4), unit)\n" + lanes.all("s$ = fadd(set, fmul(unit, fint($)))", "c$ = fsub(clear, fmul(unit, fint($)))") +
			each("r#_$ = 0") + "\tbase = 0\n\tleft = n\n" + begin +
			lanes.triangle(func(degree int, value string) string {
				kept := "" // row k-degree
				for d := range rows - degree {
					kept += lanes.all(fmt.Sprintf("r%d_$ = if(k == %d, %s, r%d_$)", d, d+degree, strings.NewReplacer("VALUE", value, "#", fmt.Sprint(d)).Replace(keep), d))
				}
				return fmt.Sprintf("\tif less(left, 4) goto keep%d\n", degree) + lanes.all(strings.ReplaceAll(store, "VALUE", value)) +
					fmt.Sprintf("\tgoto next%d\nkeep%d:\n%snext%d:\n", degree, degree, kept, degree)
			}, next) + "\tif less(left, 4) goto back\n" + lanes.all("s$ = fadd(s$, wide)", "c$ = fsub(c$, wide)") + last + `
back:
	some = left
	d = 0
copy:
` + lanes.all("v$ = "+row) + turn(3).some("copied", copied) + `
	if d == k goto done
	d = d + 1
	goto copy
done:
	return
`
	}
	return twin("twin TransitionRows4(dst []float64, stride, k int, set, clear, unit, scale float64)"+rowsHead,
		"begin:\n"+lanes.all("f$ = scale")+"\trow = base\n",
		"dst[row + $] = VALUE", "VALUE", "\trow = row + stride\n", `
	base = base + 4
	if left == 4 || less(left, 4) goto done
	left = left - 4
	goto begin
`, "dst[base + d * stride + $] = v$") +
		twin("twin TransitionSums4(part, w []float64, k int, set, clear, unit, scale float64)"+sumsHead+"\tif n == 0 goto done\n", `
	odd = 0
begin:
	if less(left, 4) goto last
	few = 0
`+lanes.all("f$ = fmul(scale, w[base + $])")+`
turn:
	row = 4 * odd
`, "part[row + $] = fadd(VALUE, part[row + $])", "fadd(VALUE, r#_$)", "\trow = row + 8\n", `
	base = base + 4
	odd = 1 - odd
	if left == 4 || less(left, 4) goto done
	left = left - 4
	goto begin
last:
	few = 1
	d = 0
fetch:
`+lanes.all("v$ = part[8 * d + 4 * odd + $]")+each("r#_$ = if(d == #, v$, r#_$)")+`
	if d == k goto fetched
	d = d + 1
	goto fetch
fetched:
`+lanes.all("f$ = 0")+`
	f0 = w[base]
	if left == 1 goto weights
	f1 = w[base + 1]
	if left == 2 goto weights
	f2 = w[base + 2]
weights:
`+lanes.all("f$ = fmul(f$, scale)")+`
	goto turn
`, "part[8 * d + 4 * odd + $] = v$")
}
