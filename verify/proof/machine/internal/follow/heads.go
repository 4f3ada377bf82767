package follow

import (
	"fmt"
	"slices"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/arm64"
)

// The method "places" returns the addresses of the heads. A head is the first instruction of a loop, or at the offset
// that its line names. In a mutant, it is where it is in the original function.
func (e *executor) places(code []arm64.Instruction) ([]uint64, error) {
	var back []uint64
	for i, in := range code {
		e.code[in.Address] = in
		if arm64.IsBranch(in) {
			again := i > 0 && code[i-1].Name == "bl" // see the method "more"
			if to := in.Args[len(in.Args)-1].Value; to <= in.Address && !slices.Contains(back, to) && !again {
				back = append(back, to)
			}
		}
	}
	slices.Sort(back)
	places := make([]uint64, len(e.heads))
	cuts := map[int]uint64{} // in a mutant, the addresses of heads
	for _, in := range code {
		if in.Cut > 0 {
			cuts[in.Cut-1] = in.Address
		}
	}
	loops := 0
	for i, h := range e.heads {
		switch {
		case h.also && i > 0:
			places[i] = places[i-1]
			continue
		case cuts[i] != 0:
			places[i] = cuts[i]
		case len(cuts) > 0:
			return nil, fmt.Errorf("the head %s is gone", h.name)
		case h.offset > 0:
			places[i] = code[0].Address + uint64(h.offset)
		case loops < len(back):
			places[i] = back[loops]
			loops++
		default:
			return nil, fmt.Errorf("%d loop heads, more invariants", len(back))
		}
		if _, twice := e.at[places[i]]; twice || e.code[places[i]].Name == "" {
			return nil, fmt.Errorf("head %s is at %#x, where no head can be", h.name, places[i])
		}
		e.at[places[i]] = i
	}
	for _, a := range back {
		if _, ok := e.at[a]; !ok && len(cuts) > 0 {
			return nil, fmt.Errorf("a loop from %#x, where the original has none", a)
		}
	}
	if loops != len(back) && len(cuts) == 0 {
		return nil, fmt.Errorf("%d loop heads, invariants of %d", len(back), loops)
	}
	return places, nil
}
