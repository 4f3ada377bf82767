package program_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bloomproof/bloomproof/verify/conform"
	"github.com/bloomproof/bloomproof/verify/internal/mutant"
	"github.com/bloomproof/bloomproof/verify/internal/program"
)

// programs runs random programs on a subject until one fails, and returns its error.
func programs(s conform.Subject[*mutant.Plain], n int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		data := make([]byte, 8+r.IntN(300))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if _, err := program.Run(s, data); err != nil {
			return err
		}
	}
	return nil
}

// Random programs find what is wrong with operations, and nothing in sound filters.
func TestRunCatches(t *testing.T) {
	sure := map[conform.Law]bool{"batch": true, "test and set": true, "union": true, "intersection": true, "reset": true}
	missed := map[string]bool{"union of any two shapes": true} // two shapes never meet in a program
	caught := 0
	for _, w := range mutant.Wrongs() {
		if !sure[w.Law] {
			continue
		}
		err := programs(w.Subject, 3000)
		if (err == nil) != missed[w.Name] {
			t.Errorf("%s: %v", w.Name, err)
		}
		if err != nil {
			caught++
			t.Logf("%s: %v", w.Name, err)
		}
	}
	if caught < 15 {
		t.Errorf("%d wrong filters were caught", caught)
	}
	for _, r := range mutant.Sounds() {
		if s := r.Subject; s.Seeded || s.OwnRate != nil || s.Shards > 0 { // the twins that it compares are not alike, or m is no multiple
			continue
		}
		if err := programs(r.Subject, 300); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}
