package sim

import "github.com/bloomproof/bloomproof/kernel"

// The type "hashed" represents the filter of a run. It uses the batch methods of the recycling filter in package
// kernel.
type hashed struct {
	*kernel.RecyclingFilter
	keys []uint64
}

func (f *hashed) observe(dst []kernel.Observation, a []arrival) {
	f.keys = f.keys[:0]
	for i := range a {
		f.keys = append(f.keys, a[i].Key)
	}
	f.ObserveBatch(dst[:0], kernel.KeysOf(f.keys))
}

func (f *hashed) full() bool {
	m := f.Geometry().M
	return f.State().Bits == m || f.Recycling().NoCopyOver && f.State().FrozenBits == m
}

func (f *hashed) knows(a []arrival) bool {
	try := f.Clone()
	try.OnRecycle = nil
	for _, a := range a {
		f.keys = append(f.keys[:0], a.Key)
		if try.ObserveBatch(nil, kernel.KeysOf(f.keys))[0].NewBits > 0 {
			return false
		}
	}
	return true
}
