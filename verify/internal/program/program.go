// Package program runs programs of operations on a subject of package conform against the
// sets of keys that it must contain.
package program

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// maxSteps bounds a program, and with it the keys that are kept.
const maxSteps = 64

// Run runs the program that data encodes, whatever it is, on two filters of one small shape
// and compares them with the sets of keys that they must contain: additions one by one and
// in batches, look-ups, test and set, union, intersection, reset, snapshots taken over and
// snapshots forged, as far as the subject has them. It returns an error for the first step
// after which a filter is wrong, and panics if the subject does. It reports whether it examined
// no false negative, that is whether it looked a key up that it had added. It does not if New
// refuses the shape, or if data adds no key.
//
// Errors: *bloomproof.ParamError for a subject that is no good (see Check), besides.
func Run[F any](s conform.Subject[F], data []byte) (examined bool, err error) {
	if err := Check(s); err != nil {
		return false, err
	}
	r := program[F]{s: s, data: data}
	m, k := 1+uint64(r.byte())<<4+uint64(r.byte())&15, 1+int(r.byte()%8)
	if b := s.BlockBits; b > 0 {
		m += (b - m%b) % b
	}
	m += (uint64(k) - m%uint64(k)) % uint64(k) // partitioned hashing, too
	if s.BlockBits > 0 && m%s.BlockBits != 0 {
		return false, nil
	}
	for i := range r.f {
		f, err := r.s.New(m, k)
		if err != nil {
			return false, nil // not a shape of the subject
		}
		r.f[i], r.holds[i] = f, map[string]bool{}
	}
	for step := 0; len(r.data) > 0 && step < maxSteps; step++ {
		what, err := r.step()
		if err == nil {
			err = r.check()
		}
		if err != nil {
			return r.examined, fmt.Errorf("m=%d k=%d, step %d, %s: %w", m, k, step, what, err)
		}
	}
	return r.examined, nil
}

// Check returns a ParamError unless programs can run on the subject.
func Check[F any](s conform.Subject[F]) error {
	switch {
	case s.New == nil:
		return &bloomproof.ParamError{Param: "New", Value: nil, Want: "a function"}
	case s.Add == nil:
		return &bloomproof.ParamError{Param: "Add", Value: nil, Want: "a function"}
	case s.Contains == nil:
		return &bloomproof.ParamError{Param: "Contains", Value: nil, Want: "a function"}
	}
	_, err := s.Hashing.MarshalText() // of a hashing without a name
	return err
}

// program is one that runs.
type program[F any] struct {
	s        conform.Subject[F]
	data     []byte // what is left of it
	f        [2]F
	holds    [2]map[string]bool // keys that each must contain
	examined bool               // a key of holds was looked up
}

func (r *program[F]) byte() byte {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

// key returns a key of up to 15 bytes, often one that is known.
func (r *program[F]) key() []byte {
	n := int(r.byte() & 15)
	n = min(n, len(r.data))
	key := slices.Clone(r.data[:n])
	r.data = r.data[n:]
	return key
}

// step does the next operation and names it.
func (r *program[F]) step() (what string, err error) {
	op := r.byte()
	i := int(op >> 7)
	f, g, holds := r.f[i], r.f[1-i], r.holds[i]
	switch op % 10 {
	case 0, 1:
		key := r.key()
		r.s.Add(f, key)
		holds[string(key)] = true
		clear(key)
		return "add", nil
	case 2:
		if r.s.TestAndAdd == nil {
			return "", nil
		}
		key := r.key()
		before := r.s.Contains(f, key)
		if got := r.s.TestAndAdd(f, key); got != before {
			err = fmt.Errorf("%t for a key that was contained before: %t", got, before)
		}
		holds[string(key)] = true
		return "test and set", err
	case 3:
		if r.s.AddBatch == nil {
			return "", nil
		}
		var keys [][]byte
		for range r.byte() & 7 {
			keys = append(keys, r.key())
			holds[string(keys[len(keys)-1])] = true
		}
		r.s.AddBatch(f, keys)
		return "add a batch", nil
	case 4:
		if r.s.ContainsBatch == nil {
			return "", nil
		}
		var keys [][]byte
		for range r.byte() & 7 {
			keys = append(keys, r.key())
		}
		got := r.s.ContainsBatch(f, keys)
		if len(got) != len(keys) {
			return "look up a batch", fmt.Errorf("%d answers for %d keys", len(got), len(keys))
		}
		for j, key := range keys {
			if want := r.s.Contains(f, key); got[j] != want {
				return "look up a batch", fmt.Errorf("key %d contained: %t, alone %t", j, got[j], want)
			}
		}
		return "look up a batch", nil
	case 5:
		if r.s.Union == nil {
			return "", nil
		}
		err = r.s.Union(f, g)
		for key := range r.holds[1-i] {
			holds[key] = true
		}
		return "union", err
	case 6:
		if r.s.Intersect == nil {
			return "", nil
		}
		in := map[string]bool{} // what both contain
		for _, of := range r.holds {
			for key := range of {
				in[key] = r.s.Contains(f, []byte(key)) && r.s.Contains(g, []byte(key))
			}
		}
		err = r.s.Intersect(f, g)
		for key, want := range in {
			if got := r.s.Contains(f, []byte(key)); err == nil && got != want {
				err = fmt.Errorf("%q contained: %t, in both: %t", key, got, want)
			}
		}
		for key := range holds {
			if !r.holds[1-i][key] {
				delete(holds, key)
			}
		}
		return "intersection", err
	case 7:
		if r.s.Reset == nil {
			return "", nil
		}
		r.s.Reset(f)
		for key := range holds {
			if r.s.Contains(f, []byte(key)) {
				err = fmt.Errorf("%q is contained afterwards", key)
			}
		}
		clear(holds)
		return "reset", err
	case 8:
		if r.s.Marshal == nil || r.s.Unmarshal == nil {
			return "", nil
		}
		snapshot, err := r.s.Marshal(f)
		if err != nil {
			return "snapshot", err
		}
		kept := slices.Clone(snapshot)
		if err := r.s.Unmarshal(g, snapshot); err != nil {
			return "snapshot read again", err
		}
		clear(snapshot)
		clear(r.holds[1-i])
		for key := range holds {
			r.holds[1-i][key] = true
		}
		if again, err := r.s.Marshal(g); err != nil || !slices.Equal(again, kept) {
			return "snapshot read again", fmt.Errorf("written again it is another, %v", err)
		}
		return "snapshot read again", nil
	}
	if r.s.Marshal == nil || r.s.Unmarshal == nil {
		return "", nil
	}
	snapshot, err := r.s.Marshal(f)
	if err != nil || len(snapshot) == 0 {
		return "snapshot", err
	}
	at := (int(r.byte()) | int(r.byte())<<8) % len(snapshot)
	flip := r.byte()
	if snapshot[at] ^= flip; flip&1 == 1 {
		snapshot = snapshot[:at]
	}
	before, err := r.s.Marshal(g)
	if err != nil {
		return "snapshot", err
	}
	if r.s.Unmarshal(g, snapshot) != nil {
		if after, err := r.s.Marshal(g); err != nil || !slices.Equal(before, after) {
			return "forged snapshot", fmt.Errorf("it is refused, and the filter has changed, %v", err)
		}
		return "forged snapshot", nil
	}
	// It was none, or passed for one: what the filter holds now is not known.
	clear(r.holds[1-i])
	return "forged snapshot", r.s.Unmarshal(g, before)
}

// check holds both filters against their sets, and counts of bits against arrays.
func (r *program[F]) check() error {
	for i, f := range r.f {
		for key := range r.holds[i] {
			r.examined = true
			if !r.s.Contains(f, []byte(key)) {
				return fmt.Errorf("filter %d does not contain %q", i, key)
			}
		}
		if r.s.Bits != nil && r.s.Words != nil {
			set := 0
			for _, w := range r.s.Words(f) {
				set += bits.OnesCount64(w)
			}
			if b := r.s.Bits(f); b != uint64(set) {
				return fmt.Errorf("filter %d counts %d set bits, its array has %d", i, b, set)
			}
		}
	}
	return nil
}
