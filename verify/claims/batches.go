package claims

import (
	"fmt"
	"math/rand"
	"strings"
)

// sizeLists are lists of the sizes of batches, or of departments of batches, as values of a variable. The first codes
// stand for the lists of a table, and the codes beyond the table for lists of random sizes.
type sizeLists struct {
	table [][]int
	most  int // the most numbers in a list
	least int // the least value of a number
	large int // the largest value of a number
}

// of returns the list of sizes that a code stands for.
func (l *sizeLists) of(code int64) []int {
	if code < int64(len(l.table)) {
		return l.table[code]
	}
	rnd := rand.New(rand.NewSource(code))
	sizes := make([]int, 1+rnd.Intn(l.most))
	for i := range sizes {
		sizes[i] = l.least + rnd.Intn(l.large-l.least+1)
	}
	return sizes
}

func (l *sizeLists) variable(name, words string) variable {
	return listed(name, words, func(code int64) string {
		return "{" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(l.of(code))), ", "), "[]") + "}"
	}, codes(len(l.table)), codes(len(l.table)), int64(len(l.table)+generatedCodes-1))
}

// codes returns the list 0, 1, ..., n-1.
func codes(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// departmentLists are the committees of several departments, as values of a variable.
type departmentLists struct{ table [][][]int }

func (l *departmentLists) of(code int64) [][]int {
	if code < int64(len(l.table)) {
		return l.table[code]
	}
	rnd := rand.New(rand.NewSource(code))
	const mostDepartments, mostCommittees, mostSize = 3, 3, 4
	departments := make([][]int, 1+rnd.Intn(mostDepartments))
	for d := range departments {
		departments[d] = make([]int, rnd.Intn(mostCommittees+1))
		for i := range departments[d] {
			departments[d][i] = rnd.Intn(mostSize + 1)
		}
	}
	return departments
}

// largest returns the size of the largest committee in the value of a code.
func (l *departmentLists) largest(code int64) int {
	most := 0
	for _, sizes := range l.of(code) {
		most = max(most, largest(sizes))
	}
	return most
}

func (l *departmentLists) variable(name, words string) variable {
	return listed(name, words, func(code int64) string { return fmt.Sprint(l.of(code)) }, codes(len(l.table)), codes(len(l.table)), int64(len(l.table)+generatedCodes-1))
}
