package sim

import "github.com/bloomproof/bloomproof/kernel"

// hashed is the filter of package kernel, through its batch form.
type hashed struct {
	*kernel.RecyclingFilter
	keys []uint64
}

func (f *hashed) observe(dst []kernel.Observation, a []Arrival) {
	f.keys = f.keys[:0]
	for i := range a {
		f.keys = append(f.keys, a[i].Key)
	}
	f.ObserveUint64Batch(dst[:0], f.keys)
}

func (f *hashed) full() bool {
	m := f.Geometry().M
	return f.Bits() == m || f.Recycling().NoCopyOver && f.FrozenBits() == m
}

func (f *hashed) knows(a []Arrival) bool {
	try := f.Clone()
	try.OnRecycle = nil
	for _, a := range a {
		f.keys = append(f.keys[:0], a.Key)
		if try.ObserveUint64Batch(nil, f.keys)[0].NewBits > 0 {
			return false
		}
	}
	return true
}
