package claims

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
)

// Here popularity distributions are the values of a variable. Each is a list of whole weights that do not increase. A
// check visits the lists of a table one by one, in lexicographic order. Codes beyond the table stand for other lists of
// up to most messages: Zipf weights, weights of two levels, geometric weights and random weights.

type popularities struct {
	table [][]int
	quick []int64 // the codes that are visited at quick effort
	most  int     // the most messages in a list beyond the table
}

// generatedCodes is the number of codes beyond the table from which the attack draws.
const generatedCodes = 1 << 20

// listsOf returns the lists of least to len(full) weights whose j-th weight is at most full[j]. A check at quick effort
// visits only the lists whose j-th weight is at most quick[j].
func listsOf(least int, quick, full []int, most int) *popularities {
	q := &popularities{most: most}
	weights := make([]int, len(full))
	var step func(j int, few bool)
	step = func(j int, few bool) {
		if j == len(full) {
			if few {
				q.quick = append(q.quick, int64(len(q.table)))
			}
			q.table = append(q.table, slices.DeleteFunc(slices.Clone(weights), func(w int) bool { return w == 0 }))
			return
		}
		top := full[j]
		if j > 0 {
			top = min(top, weights[j-1])
		}
		for w := count(j < least); w <= top; w++ {
			weights[j] = w
			step(j+1, few && w <= quick[j])
		}
	}
	step(0, true)
	return q
}

// variable returns the variable Q, whose values are the popularities of the list.
func (q *popularities) variable(words string) variable {
	return listed("Q", words, q.show, q.quick, q.all(), int64(len(q.table)+generatedCodes-1))
}

// all returns the codes of all lists of the table.
func (q *popularities) all() []int64 { return codes(len(q.table)) }

// show writes the probabilities that a code stands for, in the form (2, 1)/3.
func (q *popularities) show(code int64) string {
	w, total := q.weights(code), 0
	for _, x := range w {
		total += x
	}
	return fmt.Sprintf("(%s)/%d", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(w)), ", "), "[]"), total)
}

// code returns the code of a list that is in the table.
func (q *popularities) code(weights ...int) int64 {
	return int64(slices.IndexFunc(q.table, func(w []int) bool { return slices.Equal(w, weights) }))
}

// weights returns the list that a code stands for.
func (q *popularities) weights(code int64) []int {
	if code < int64(len(q.table)) {
		return q.table[code]
	}
	rnd := rand.New(rand.NewSource(code))
	d := 2 + rnd.Intn(q.most-1)
	list := make([]int, d)
	const scale = 10000 // weights are whole numbers of at most scale
	shape, x, level := rnd.Intn(4), rnd.Float64(), 1+rnd.Intn(d)
	for j := range list {
		switch shape {
		case 0:
			list[j] = int(scale * math.Pow(float64(j+1), -3*x))
		case 1:
			list[j] = int(scale * math.Pow(x, float64(j)))
		case 2:
			list[j] = int(scale * x)
			if j < level {
				list[j] = scale
			}
		default:
			list[j] = rnd.Intn(scale)
		}
		list[j] = max(1, list[j])
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}
