package kernel

import (
	"io"
)

// The function "unmarshal" implements UnmarshalBinary for filters of the given kind. It decodes data. It then calls the
// function "restore" with the result, to replace the filter.
func unmarshal(data []byte, kind byte, restore func(*snapshot) error) error {
	s, err := decode(data, kind)
	if err != nil {
		return err
	}
	return restore(s)
}

// readFrom implements ReadFrom for filters of the given kind. It reads a snapshot from r. It then calls the function
// "restore" with the result, to replace the filter.
func readFrom(r io.Reader, kind byte, restore func(*snapshot) error) (int64, error) {
	s, n, err := readSnapshot(r, kind)
	if err != nil {
		return n, err
	}
	return n, restore(s)
}

func (f *Filter) snapshot() *snapshot {
	f.mustBeMade()
	return &snapshot{
		kind: kindFilter, layout: f.layout, scheme: f.hash.scheme, check: f.hash.check(),
		bits: [2]uint64{f.bits}, arrays: [2]column{whole(f.words)},
	}
}

func (f *Filter) restore(s *snapshot) error {
	hash, err := s.admit(f.hash)
	if err != nil {
		return err
	}
	im := f.im.best()
	a, err := s.take(0, im)
	if err != nil {
		return err
	}
	*f = newFilter(s.layout, hash, im, a)
	return nil
}

// MarshalBinary returns the filter's snapshot, of 128 + 8 ceil(m/64) bytes. The snapshot does not contain the secret
// key of a scheme. The error is always nil.
func (f *Filter) MarshalBinary() ([]byte, error) { return f.snapshot().append(nil), nil }

// AppendBinary appends the snapshot to dst. It implements encoding.BinaryAppender. The error is always nil.
func (f *Filter) AppendBinary(dst []byte) ([]byte, error) { return f.snapshot().append(dst), nil }

// WriteTo writes the filter's snapshot to w.
// Errors: the errors of w.
func (f *Filter) WriteTo(w io.Writer) (int64, error) { return f.snapshot().writeTo(w) }

// UnmarshalBinary replaces f by the filter that is encoded in data. Before the call, f may be a zero Filter. If the
// scheme of the snapshot has a secret key, f must have been made with the same key. If f was made with a secret key,
// the filter of the snapshot must have the same key.
// Memory: at most a constant times len(data), whatever the header says.
// Errors: ErrCorrupt, and *bloomproof.ParamError if the key differs. After an error, f is unchanged.
func (f *Filter) UnmarshalBinary(data []byte) error {
	return unmarshal(data, kindFilter, f.restore)
}

// ReadFrom reads one snapshot from r. It then replaces f by the filter of this snapshot, as UnmarshalBinary does.
// Errors: the errors of UnmarshalBinary and of r. After an error, f is unchanged.
func (f *Filter) ReadFrom(r io.Reader) (int64, error) {
	return readFrom(r, kindFilter, f.restore)
}

func (f *RecyclingFilter) snapshot() *snapshot {
	f.mustBeMade()
	active, frozen := f.columns()
	return &snapshot{
		kind: kindRecycling, layout: f.layout, scheme: f.hash.scheme, check: f.hash.check(), r: f.r,
		bits: [2]uint64{f.active.bits, f.frozen.bits}, arrays: [2]column{active, frozen},
		cycle: f.cycle, messages: f.messages, arrivals: f.arrivals,
	}
}

func (f *RecyclingFilter) restore(s *snapshot) error {
	hash, err := s.admit(f.hash)
	if err != nil {
		return err
	}
	im := f.im.best()
	next := RecyclingFilter{
		OnRecycle: f.OnRecycle, layout: s.layout, r: s.r, hash: hash, im: im,
		cycle: s.cycle, messages: s.messages, arrivals: s.arrivals,
	}
	if paired(s.r) {
		next.pair = s.arrays[0].words
		next.recountPair()
		if err = s.agree(0, next.active.bits); err == nil {
			err = s.agree(1, next.frozen.bits)
		}
	} else {
		if next.active, err = s.take(0, im); err == nil && s.r.TwoPhase {
			next.frozen, err = s.take(1, im)
		}
	}
	if err != nil {
		return err
	}
	*f = next
	return nil
}

// MarshalBinary returns the filter's snapshot. It has 128 + 8 ceil(m/64) bytes with one phase, and 128 + 16 ceil(m/64)
// bytes with two. The snapshot contains neither the secret key of a scheme nor the function OnRecycle. The error is
// always nil.
func (f *RecyclingFilter) MarshalBinary() ([]byte, error) { return f.snapshot().append(nil), nil }

// AppendBinary appends the snapshot to dst. It implements encoding.BinaryAppender. The error is always nil.
func (f *RecyclingFilter) AppendBinary(dst []byte) ([]byte, error) {
	return f.snapshot().append(dst), nil
}

// WriteTo writes the filter's snapshot to w.
// Errors: the errors of w.
func (f *RecyclingFilter) WriteTo(w io.Writer) (int64, error) { return f.snapshot().writeTo(w) }

// UnmarshalBinary replaces f by the filter that is encoded in data. Before the call, f may be a zero RecyclingFilter.
// Its function OnRecycle stays the same. If the scheme of the snapshot has a secret key, f must have been made with the
// same key. If f was made with a secret key, the filter of the snapshot must have the same key.
// Memory: at most a constant times len(data), whatever the header says.
// Errors: ErrCorrupt, and *bloomproof.ParamError if the key differs. After an error, f is unchanged.
func (f *RecyclingFilter) UnmarshalBinary(data []byte) error {
	return unmarshal(data, kindRecycling, f.restore)
}

// ReadFrom reads one snapshot from r. It then replaces f by the filter of this snapshot, as UnmarshalBinary does.
// Errors: the errors of UnmarshalBinary and of r. After an error, f is unchanged.
func (f *RecyclingFilter) ReadFrom(r io.Reader) (int64, error) {
	return readFrom(r, kindRecycling, f.restore)
}

func (f *CountingFilter) snapshot() *snapshot {
	mustBeMade(f.words)
	return &snapshot{
		kind: kindCounting, layout: f.layout, c: f.c, scheme: f.hash.scheme, check: f.hash.check(),
		bits: [2]uint64{f.bits, f.saturated}, arrays: [2]column{whole(f.words)},
	}
}

func (f *CountingFilter) restore(s *snapshot) error {
	hash, err := s.admit(f.hash)
	if err != nil {
		return err
	}
	im := f.im.best()
	c := s.newCounters(s.c.width, s.arrays[0].words)
	c.recount(&s.layout)
	if c.bits != s.bits[0] || c.saturated != s.bits[1] {
		return corrupt("%d counters are not 0 and %d are full, not %d and %d", c.bits, c.saturated, s.bits[0], s.bits[1])
	}
	*f = CountingFilter{s.layout, s.c, hash, im, c}
	return nil
}

// MarshalBinary returns the filter's snapshot, of 128 + 8 ceil(m*width/64) bytes. The snapshot does not contain the
// secret key of a scheme. The error is always nil.
func (f *CountingFilter) MarshalBinary() ([]byte, error) { return f.snapshot().append(nil), nil }

// AppendBinary appends the snapshot to dst. It implements encoding.BinaryAppender. The error is always nil.
func (f *CountingFilter) AppendBinary(dst []byte) ([]byte, error) {
	return f.snapshot().append(dst), nil
}

// WriteTo writes the filter's snapshot to w.
// Errors: the errors of w.
func (f *CountingFilter) WriteTo(w io.Writer) (int64, error) { return f.snapshot().writeTo(w) }

// UnmarshalBinary replaces f by the filter that is encoded in data. Before the call, f may be a zero CountingFilter. If
// the scheme of the snapshot has a secret key, f must have been made with the same key. If f was made with a secret
// key, the filter of the snapshot must have the same key.
// Memory: at most a constant times len(data), whatever the header says.
// Errors: ErrCorrupt, and *bloomproof.ParamError if the key differs. After an error, f is unchanged.
func (f *CountingFilter) UnmarshalBinary(data []byte) error {
	return unmarshal(data, kindCounting, f.restore)
}

// ReadFrom reads one snapshot from r. It then replaces f by the filter of this snapshot, as UnmarshalBinary does.
// Errors: the errors of UnmarshalBinary and of r. After an error, f is unchanged.
func (f *CountingFilter) ReadFrom(r io.Reader) (int64, error) {
	return readFrom(r, kindCounting, f.restore)
}
