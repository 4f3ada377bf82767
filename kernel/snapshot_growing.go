package kernel

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/zeebo/xxh3"
)

// A snapshot of a GrowingFilter consists of a header, one row for each layer, and the words of the layers in use. If a
// layer has blocks, the snapshot has version 4 of the format. Otherwise it has version 3. The page docs/format.md
// specifies both versions.

const (
	versionGrowing       = 3
	versionGrowingBlocks = 4
	kindGrowing          = 4
	layerSize            = 32 // size of a row in bytes
)

// growingVersion returns the version of the format in which a filter with the given layers is written.
func growingVersion(plan []bloomproof.Layer) uint16 {
	if slices.ContainsFunc(plan, func(l bloomproof.Layer) bool { return l.Block != 0 }) {
		return versionGrowingBlocks
	}
	return versionGrowing
}

// appendRows appends to dst the rows of the snapshot, one for each layer.
func (f *GrowingFilter) appendRows(dst []byte) []byte {
	le := binary.LittleEndian
	set := make([]uint64, len(f.plan))
	copy(set, f.LayerBits())
	for i, l := range f.plan {
		dst = le.AppendUint64(dst, l.M)
		dst = le.AppendUint32(dst, uint32(l.K))
		dst = append(dst, byte(l.Hashing), byte(bits.Len64(l.Block)), 0, 0)
		dst = le.AppendUint64(dst, l.Sigma)
		dst = le.AppendUint64(dst, set[i])
	}
	return dst
}

// growingHeader returns the header of a snapshot. The argument "sum" is the checksum of the snapshot's payload.
func growingHeader(version uint16, s scheme, layers, used uint32, check, sum uint64) (b [headerSize]byte) {
	le := binary.LittleEndian
	copy(b[:], snapshotMagic)
	le.PutUint16(b[8:], version)
	b[10], b[12] = kindGrowing, byte(s)
	le.PutUint32(b[16:], layers)
	le.PutUint32(b[20:], used)
	le.PutUint64(b[32:], check)
	le.PutUint64(b[112:], sum)
	le.PutUint64(b[120:], xxh3.Hash(b[:120]))
	return b
}

// MarshalBinary returns the filter's snapshot. The snapshot begins with a header of 128 bytes and a row of 32 bytes for
// each layer. A layer of m bits that is in use takes 8 ceil(m/64) more bytes. The snapshot does not contain the secret
// key of a scheme. The error is always nil.
func (f *GrowingFilter) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// AppendBinary appends the snapshot to dst. It implements encoding.BinaryAppender. The error is always nil.
func (f *GrowingFilter) AppendBinary(dst []byte) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	_, err := f.WriteTo(b)
	return b.Bytes(), err
}

// WriteTo writes the filter's snapshot to w.
// Errors: the errors of w.
func (f *GrowingFilter) WriteTo(w io.Writer) (int64, error) {
	open, _ := f.open()
	sum := xxh3.New()
	_, _ = f.writePayload(sum)
	head := growingHeader(growingVersion(f.plan), open.hash.scheme, uint32(len(f.plan)), uint32(len(f.layers)), open.hash.check(), sum.Sum64())
	n, err := w.Write(head[:])
	if err != nil {
		return int64(n), err
	}
	done, err := f.writePayload(w)
	return int64(n) + done, err
}

// writePayload writes to w the part of the snapshot that follows the header.
func (f *GrowingFilter) writePayload(w io.Writer) (done int64, err error) {
	n, err := w.Write(f.appendRows(nil))
	done = int64(n)
	buf := make([]byte, 0, 8*chunkWords)
	for _, l := range f.layers {
		for chunk := range slices.Chunk(l.words, chunkWords) {
			if err != nil {
				return done, err
			}
			n, err = w.Write(appendWords(buf, chunk))
			done += int64(n)
		}
	}
	return done, err
}

// UnmarshalBinary replaces f by the filter whose snapshot is data. Before the call, f may be a zero GrowingFilter. If
// the scheme of the snapshot has a secret key, f must have been made with the same key. If f was made with a key, the
// snapshot must have that key. Memory: at most a constant times len(data), whatever the header says.
// Errors: ErrCorrupt, and *bloomproof.ParamError if the key differs. After an error, f is unchanged.
func (f *GrowingFilter) UnmarshalBinary(data []byte) error {
	r := bytes.NewReader(data)
	next, _, err := f.read(r)
	if err == nil && r.Len() > 0 {
		err = corrupt("%d bytes follow it", r.Len())
	}
	if err == nil {
		*f = *next
	}
	return err
}

// ReadFrom reads one snapshot from r. Like UnmarshalBinary, it replaces f by the filter with this snapshot.
// Errors: the errors of UnmarshalBinary and of r. After an error, f is unchanged.
func (f *GrowingFilter) ReadFrom(r io.Reader) (int64, error) {
	next, n, err := f.read(r)
	if err == nil {
		*f = *next
	}
	return n, err
}

// The method "read" reads exactly one snapshot from r. If the scheme of the snapshot has a secret key, this key
// must be the key of f.
func (f *GrowingFilter) read(r io.Reader) (next *GrowingFilter, done int64, err error) {
	var own Hasher
	var im impl
	if len(f.layers) > 0 {
		own, im = f.layers[0].hash, f.layers[0].im
	}
	var head [headerSize]byte
	n, err := io.ReadFull(r, head[:])
	done = int64(n)
	if err != nil {
		return nil, done, readError(err)
	}
	le := binary.LittleEndian
	s := &snapshot{scheme: scheme(head[12]), check: le.Uint64(head[32:]), payloadSum: le.Uint64(head[112:])}
	layers, used := le.Uint32(head[16:]), le.Uint32(head[20:])
	version := le.Uint16(head[8:])
	switch {
	case string(head[:8]) != snapshotMagic:
		return nil, done, corrupt("it does not begin with %q", snapshotMagic)
	case le.Uint64(head[120:]) != xxh3.Hash(head[:120]):
		return nil, done, corrupt("header checksum")
	case version != versionGrowing && version != versionGrowingBlocks || head[10] != kindGrowing:
		return nil, done, corrupt("it is of version %d and of %s, not of %d or %d and %s",
			version, kindName(head[10]), versionGrowing, versionGrowingBlocks, kindName(kindGrowing))
	case s.scheme > schemeSipHash:
		return nil, done, corrupt("scheme %d", s.scheme)
	case layers < 1 || layers > bloomproof.MaxLayers || used < 1 || used > layers:
		return nil, done, corrupt("%d layers in use of %d, of at most %d", used, layers, bloomproof.MaxLayers)
	case growingHeader(version, s.scheme, layers, used, s.check, s.payloadSum) != head:
		return nil, done, corrupt("unused bytes of the header are not zero")
	}
	hash, err := s.admit(own)
	if err != nil {
		return nil, done, err
	}
	sum := xxh3.New()
	rows := make([]byte, layerSize*layers)
	n, err = io.ReadFull(r, rows)
	done += int64(n)
	if err != nil {
		return nil, done, readError(err)
	}
	_, _ = sum.Write(rows)
	next = &GrowingFilter{}
	set, err := next.parseRows(rows, int(used))
	if err != nil {
		return nil, done, err
	}
	if growingVersion(next.plan) != version {
		return nil, done, corrupt("its layers are not of version %d", version)
	}
	buf := make([]byte, 8*chunkWords)
	for i, b := range set {
		l, _ := layoutOf(next.plan[i].Geometry) // cannot fail, because the rows were checked
		c := whole(makeWords(int(min(wordsFor(l.g.M), chunkWords))))
		n64, err := c.fill(r, sum, l.g.M, buf)
		done += n64
		if err != nil {
			return nil, done, err
		}
		a := array{c.words, l.newCounts()}
		a.recount(&l, im.best())
		if a.bits != b {
			return nil, done, corrupt("%d bits are set in layer %d, not %d", a.bits, i, b)
		}
		layer := next.layerOf(i, newFilter(l, hash, im.best(), a))
		if layer.load != nil && i+1 < int(used) && !layer.load.closed() {
			return nil, done, corrupt("layer %d is closed, and has room for a key", i)
		}
		next.layers = append(next.layers, layer)
	}
	if sum.Sum64() != s.payloadSum {
		return nil, done, corrupt("payload checksum")
	}
	return next, done, nil
}

// parseRows decodes the rows of all layers into f. Each row states the number of set bits in its layer. The method
// returns these numbers for the layers in use.
func (f *GrowingFilter) parseRows(rows []byte, used int) (set []uint64, err error) {
	le := binary.LittleEndian
	for ; len(rows) > 0; rows = rows[layerSize:] {
		g := bloomproof.Geometry{
			M: le.Uint64(rows), K: int(min(le.Uint32(rows[8:]), bloomproof.MaxK+1)), Hashing: bloomproof.Hashing(rows[12]),
		}
		if log := rows[13]; log > 64 {
			return nil, corrupt("a block of 2^%d bits", log-1)
		} else if log > 0 {
			g.Block = 1 << (log - 1)
		}
		f.plan = append(f.plan, bloomproof.Layer{Geometry: g, Sigma: le.Uint64(rows[16:])})
		set = append(set, le.Uint64(rows[24:]))
		if rows[14]|rows[15] != 0 {
			return nil, corrupt("unused bytes of a layer are not zero")
		}
	}
	if err := checkPlan(f.plan); err != nil {
		return nil, corrupt("%v", err)
	}
	for i, l := range f.plan {
		switch b := set[i]; {
		case i >= used && b != 0, b > l.M:
			return nil, corrupt("%d bits set in layer %d", b, i)
		case l.Block == 0 && i+1 < used && b <= l.Sigma-uint64(l.K):
			return nil, corrupt("layer %d is closed with %d bits, of more than %d", i, b, l.Sigma-uint64(l.K))
		}
	}
	return set[:used], nil
}
