package longtest

import "testing"

// In a test run, an input has all comparisons. For a fuzzer it has one, and each comparison has inputs.
func TestPart(t *testing.T) {
	defer func(f func() bool) { Fuzzing = f }(Fuzzing)
	if Fuzzing() {
		t.Skip("a fuzzer runs")
	}
	for _, fuzzing := range []bool{false, true} {
		Fuzzing = func() bool { return fuzzing }
		made := make([]int, 3)
		for b := range 256 {
			part := Part(len(made), 7, byte(b))
			for i := range made {
				if part(i) {
					made[i]++
				}
			}
		}
		for i, n := range made {
			if want := 256; !fuzzing && n != want || fuzzing && (n < want/3 || n > want/3+1) {
				t.Errorf("fuzzing %t: %d of %d inputs have comparison %d", fuzzing, n, want, i)
			}
		}
	}
}
