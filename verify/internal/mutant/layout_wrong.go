package mutant

import (
	"strconv"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/conform"
)

// wrongDeclarations returns filters with a false declaration. Each of them declares a property that it lacks.
func wrongDeclarations() []Wrong {
	few := sharded(bloomproof.Standard, 64)
	few.Shards = 0
	bad := onlyBasic(sharded(bloomproof.Standard, 4))
	uneven := func(dst []uint64, f *Plain, key []byte) []uint64 {
		shard := uint64(0)
		if len(key) > 0 {
			shard = uint64(key[0]) % 4
		}
		start := len(dst)
		dst = ideal(dst, bloomproof.Geometry{M: f.block, K: f.g.K}, hasher.Hasher().Bytes(key))
		for i := start; i < len(dst); i++ {
			dst[i] += shard * f.block
		}
		return dst
	}
	low := fuse()
	low.OwnRate = func(_ *Plain, n uint64) float64 { return min(1, float64(n)) / 400 }
	low.Rate = nil
	high := fuse()
	high.OwnRate = func(_ *Plain, n uint64) float64 { return min(1, float64(n)) / 75 }
	high.Rate = nil
	hash := func(key []byte) string { // a hash of 24 bits
		return strconv.FormatUint(hasher.Hasher().Bytes(key).H0>>40, 36)
	}
	hashes, folded := exactSet(), exactSet()
	remade := func(s *conform.Subject[*Plain], change func(key []byte) string) {
		add, contains := s.Add, s.Contains
		*s = conform.Subject[*Plain]{
			New: s.New, OwnRate: s.OwnRate,
			Add:      func(f *Plain, key []byte) { add(f, []byte(change(key))) },
			Contains: func(f *Plain, key []byte) bool { return contains(f, []byte(change(key))) },
		}
	}
	remade(&hashes, hash)
	remade(&folded, func(key []byte) string { return strings.ToLower(string(key)) })
	placed := onlyBasic(subject(uneven, uneven))
	placed.New, placed.Shards = bad.New, 4
	placed.Marshal, placed.Unmarshal = nil, nil
	return []Wrong{
		{Name: "64 shards that are not declared", Law: "rate", Also: byChance, Subject: onlyBasic(few)},
		{Name: "shards by the first byte of a key", Law: "keys", Also: byChance, Subject: placed},
		{Name: "a fuse filter that declares less than its rate", Law: "rate", Also: byChance, Subject: low},
		{Name: "a fuse filter that declares more than twice its rate", Law: "rate", Also: byChance, Subject: high},
		{Name: "an exact set of hashes of 24 bits", Law: "rate", Also: byChance, Subject: hashes},
		{Name: "an exact set without case", Law: "keys", Subject: folded},
	}
}
