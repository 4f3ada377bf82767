package mutant

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// wrongReading returns filters with faults of one kind: the filter misreads a key or a number that it is given.
func wrongReading() []Wrong {
	return slices.Concat(wrongBytes(), wrongTexts(), wrongBatches(), wrongFigures(), wrongDeclarations())
}

// The function "reads" returns a filter that hashes change(key) instead of the key. The function "change" must not
// write to the key.
func reads(name string, change func(key []byte) []byte) Wrong {
	p := func(dst []uint64, f *Plain, key []byte) []uint64 { return fair(dst, f, change(key)) }
	return Wrong{Name: name, Law: "keys", Also: byChance, Subject: onlyBasic(subject(p, p))}
}

// The function "cut" returns a filter that hashes only the first bytes of a key. The argument "most" is the largest
// number of these bytes.
func cut(name string, most int) Wrong {
	return reads(name, func(key []byte) []byte { return key[:min(len(key), most)] })
}

// The function "extended" combines the bytes of a key into a word by OR. Before that, it extends each byte to a word as
// a signed number. So the sign bit of a byte also sets all higher bits of the word.
func extended(key []byte) []byte {
	var w uint64
	for i, b := range key {
		w |= uint64(int64(int8(b))) << (8 * i)
	}
	return binary.LittleEndian.AppendUint64([]byte{byte(len(key))}, w)
}

func wrongBytes() []Wrong {
	words := func(key []byte, size int) (sum []byte) {
		sum = make([]byte, size+1)
		sum[size] = byte(len(key))
		for i, b := range key {
			sum[i%size] ^= b
		}
		return sum
	}
	return []Wrong{
		reads("of 8 bytes the first 4 count", func(key []byte) []byte {
			if len(key) == 8 {
				return key[:4]
			}
			return key
		}),
		reads("of 8 bytes the first 6 count", func(key []byte) []byte {
			if len(key) == 8 {
				return key[:6]
			}
			return key
		}),
		reads("8 bytes are the exclusive or of their halves", func(key []byte) []byte {
			if len(key) == 8 {
				return words(key, 4)
			}
			return key
		}),
		reads("bytes have 7 bits", func(key []byte) []byte {
			out := slices.Clone(key)
			for i := range out {
				out[i] &= 0x7f
			}
			return out
		}),
		reads("bytes of the tail are signed", func(key []byte) []byte {
			whole := len(key) &^ 7
			return append(slices.Clone(key[:whole]), extended(key[whole:])...)
		}),
		reads("bytes of the first 4 are signed", func(key []byte) []byte {
			if len(key) < 4 {
				return key
			}
			return append(extended(key[:4]), key[4:]...)
		}),
		reads("the last byte of a key of over 64 bytes does not count", func(key []byte) []byte {
			if len(key) > 64 {
				return key[:len(key)-1]
			}
			return key
		}),
		reads("lengths are counted in 8 bits", func(key []byte) []byte { return key[:len(key)&0xff] }),
		reads("lengths are counted in 16 bits", func(key []byte) []byte { return key[:len(key)&0xffff] }),
		cut("255 bytes of a key count", 255),
		cut("256 bytes of a key count", 256),
		cut("1024 bytes of a key count", 1024),
		cut("4096 bytes of a key count", 4096),
		cut("65,536 bytes of a key count", 1<<16),
		reads("of long keys every other byte counts", func(key []byte) []byte {
			if len(key) < 64 {
				return key
			}
			out := []byte{}
			for i := 0; i < len(key); i += 2 {
				out = append(out, key[i])
			}
			return binary.LittleEndian.AppendUint32(out, uint32(len(key)))
		}),
		reads("of keys of over 200 bytes the middle does not count", func(key []byte) []byte {
			if len(key) <= 200 {
				return key
			}
			return binary.LittleEndian.AppendUint32(slices.Concat(key[:100], key[len(key)-100:]), uint32(len(key)))
		}),
		reads("bytes are added up", func(key []byte) []byte {
			sum := uint64(0)
			for _, b := range key {
				sum += uint64(b)
			}
			return binary.LittleEndian.AppendUint64(nil, sum)
		}),
		reads("the order of bytes does not count", func(key []byte) []byte {
			out := slices.Clone(key)
			slices.Sort(out)
			return out
		}),
		reads("the order of words does not count", func(key []byte) []byte {
			if len(key) < 16 {
				return key
			}
			return words(key, 8)
		}),
		reads("short keys are repeated up to 8 bytes", func(key []byte) []byte {
			if len(key) == 0 || len(key) >= 8 {
				return key
			}
			return bytes.Repeat(key, 8)[:8]
		}),
		reads("zero bytes at the end do not count", func(key []byte) []byte { return bytes.TrimRight(key, "\x00") }),
	}
}

func wrongTexts() []Wrong {
	text := func(name string, change func(s string) string) Wrong {
		return reads(name, func(key []byte) []byte { return []byte(change(string(key))) })
	}
	return []Wrong{
		text("ASCII letters have no case", func(s string) string {
			out := []byte(s)
			for i, c := range out {
				if 'A' <= c && c <= 'Z' {
					out[i] |= 0x20
				}
			}
			return string(out)
		}),
		text("letters have no case", func(s string) string {
			if !utf8.ValidString(s) {
				return s
			}
			return strings.ToUpper(s)
		}),
		text("only ASCII counts", func(s string) string {
			return strings.Map(func(r rune) rune {
				if r > 0x7f {
					return -1
				}
				return r
			}, s)
		}),
		text("what is no UTF-8 is replaced", func(s string) string { return string([]rune(s)) }),
		text("what is no Latin-1 is a question mark", func(s string) string {
			return strings.Map(func(r rune) rune {
				if r > 0xff {
					return '?'
				}
				return r
			}, s)
		}),
		text("characters are cut to 16 bits", func(s string) string {
			return strings.Map(func(r rune) rune { return r & 0xffff }, s)
		}),
		text("accents are composed", strings.NewReplacer("e\u0301", "é", "A\u030a", "Å").Replace),
		text("space around does not count", strings.TrimSpace),
		text("space at the end does not count", func(s string) string { return strings.TrimRight(s, " \t\r\n") }),
		text("a carriage return does not count", func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }),
		text("a byte order mark does not count", func(s string) string { return strings.TrimPrefix(s, "\ufeff") }),
		text("a slash at the end does not count", func(s string) string { return strings.TrimSuffix(s, "/") }),
		text("percent escapes are decoded", func(s string) string {
			if out, err := url.PathUnescape(s); err == nil {
				return out
			}
			return s
		}),
		text("paths are cleaned", func(s string) string {
			if strings.HasPrefix(s, "/") && utf8.ValidString(s) {
				return path.Clean(s)
			}
			return s
		}),
		text("numbers are parsed", func(s string) string {
			if v, err := strconv.ParseFloat(s, 64); err == nil && len(s) < 24 && !strings.ContainsAny(s, "nNiI") {
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
			return s
		}),
		text("quotes around do not count", func(s string) string {
			if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
				return s[1 : len(s)-1]
			}
			return s
		}),
		text("the empty key is null", func(s string) string {
			if s == "" {
				return "null"
			}
			return s
		}),
	}
}

// wrongBatches returns filters that read the keys of a batch differently from single keys.
func wrongBatches() []Wrong {
	sound := subject(fair, fair)
	var all []Wrong
	of := func(name string, change func(s *conform.Subject[*Plain])) {
		s := onlyBasic(subject(fair, fair))
		change(&s)
		all = append(all, Wrong{Name: name, Law: "batch", Also: []conform.Law{"no false negative"}, Subject: s})
	}
	adds := func(name string, change func(key []byte, i int, all [][]byte) []byte) {
		of(name, func(s *conform.Subject[*Plain]) {
			s.AddBatch = func(f *Plain, keys [][]byte) {
				for i, key := range keys {
					sound.Add(f, change(key, i, keys))
				}
			}
		})
	}
	asks := func(name string, change func(key []byte, i int, all [][]byte) []byte) {
		of(name, func(s *conform.Subject[*Plain]) {
			s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
				out := make([]bool, len(keys))
				for i, key := range keys {
					out[i] = sound.Contains(f, change(key, i, keys))
				}
				return out
			}
		})
	}
	stride := func(key []byte, _ int, all [][]byte) []byte { return key[:min(len(all[0]), cap(key))] }
	adds("a batch is added with the length of its first key", stride)
	asks("a batch is looked up with the length of its first key", stride)
	adds("a batch is read up to the capacity of short keys", func(key []byte, _ int, _ [][]byte) []byte {
		if len(key) < 8 {
			return key[:min(8, cap(key))]
		}
		return key
	})
	adds("a batch is added with 4096 bytes of a key", func(key []byte, _ int, _ [][]byte) []byte { return key[:min(len(key), 4096)] })
	asks("a batch is looked up with 255 bytes of a key", func(key []byte, _ int, _ [][]byte) []byte { return key[:min(len(key), 255)] })
	asks("a batch is looked up without case", func(key []byte, _ int, _ [][]byte) []byte { return bytes.ToLower(key) })
	of("nil keys of a batch are left out", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) {
			for _, key := range keys {
				if key != nil {
					sound.Add(f, key)
				}
			}
		}
	})
	of("a batch writes to its keys", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) {
			for _, key := range keys {
				sound.Add(f, key)
				if len(key) > 8 {
					key[0] |= 0x20
				}
			}
		}
	})
	of("a batch is kept and added at the next look-up", func(s *conform.Subject[*Plain]) {
		s.AddBatch = func(f *Plain, keys [][]byte) { f.held = append(f.held, keys...) }
		s.Contains = func(f *Plain, key []byte) bool {
			for _, k := range f.held {
				sound.Add(f, k)
			}
			f.held = nil
			return sound.Contains(f, key)
		}
	})
	of("answers of a batch are remembered by where keys begin", func(s *conform.Subject[*Plain]) {
		s.ContainsBatch = func(f *Plain, keys [][]byte) []bool {
			out, known := make([]bool, len(keys)), map[*byte]bool{}
			for i, key := range keys {
				if len(key) == 0 {
					out[i] = sound.Contains(f, key)
					continue
				}
				in, ok := known[&key[0]]
				if !ok {
					in = sound.Contains(f, key)
					known[&key[0]] = in
				}
				out[i] = in
			}
			return out
		}
	})
	return all
}

// wrongFigures returns filters that state wrong numbers.
func wrongFigures() []Wrong {
	var all []Wrong
	of := func(name string, law conform.Law, change func(s *conform.Subject[*Plain])) {
		s := subject(fair, fair)
		change(&s)
		all = append(all, Wrong{Name: name, Law: law, Subject: s})
	}
	size := func(name string, change func(n uint64, rate float64) (uint64, int)) {
		of(name, "sizing", func(s *conform.Subject[*Plain]) { s.Size = change })
	}
	size("sizes have 32 bits", func(n uint64, rate float64) (uint64, int) {
		m, k := textbookSize(n, rate)
		return max(1, m&math.MaxUint32), k
	})
	size("sizes end at 2^32-1", func(n uint64, rate float64) (uint64, int) {
		m, k := textbookSize(n, rate)
		return min(m, math.MaxUint32), k
	})
	size("sizes are of n in 32 bits", func(n uint64, rate float64) (uint64, int) { return textbookSize(max(1, n&math.MaxUint32), rate) })
	size("sizes end at a rate of 1e-7", func(n uint64, rate float64) (uint64, int) { return textbookSize(n, max(rate, 1e-7)) })
	size("sizes have at most 16 positions for any rate", func(n uint64, rate float64) (uint64, int) {
		m, k := textbookSize(n, rate)
		return m, min(k, 16)
	})
	size("sizes are for 100 items at least", func(n uint64, rate float64) (uint64, int) { return textbookSize(max(n, 100), rate) })
	rate := func(name string, change func(m uint64, k int, n uint64) float64) {
		of(name, "stated rate", func(s *conform.Subject[*Plain]) { s.RateFor = change })
	}
	rate("the rate to expect has k n in 32 bits", func(m uint64, k int, n uint64) float64 {
		if uint64(k)*n <= math.MaxUint32 {
			return exactRate(m, k, n)
		}
		return math.Pow(-math.Expm1(-float64(uint32(uint64(k)*n))/float64(m)), float64(k))
	})
	rate("the rate to expect has m in 32 bits", func(m uint64, k int, n uint64) float64 { return exactRate(max(1, m&math.MaxUint32), k, n) })
	rate("the rate to expect has at most 32 positions", func(m uint64, k int, n uint64) float64 { return exactRate(m, min(k, 32), n) })
	rate("the rate to expect is lost where it is small", func(m uint64, k int, n uint64) float64 {
		if m < 1<<16 {
			return exactRate(m, k, n)
		}
		return math.Pow(float64(float32(1)-float32(math.Exp(-float64(k)*float64(n)/float64(m)))), float64(k))
	})
	counted := func(s *conform.Subject[*Plain]) {
		add := s.Add
		s.Add = func(f *Plain, key []byte) {
			add(f, key)
			f.seed++
		}
		s.Union, s.Intersect, s.Marshal, s.TestAndAdd, s.AddBatch, s.Reset, s.ConcurrentAdds = nil, nil, nil, nil, nil, nil, false
	}
	of("the rate is that of all additions", "stated rate", func(s *conform.Subject[*Plain]) {
		counted(s)
		s.Items = nil
		s.Rate = func(f *Plain) float64 {
			return math.Pow(-math.Expm1(-float64(f.g.K)*float64(f.seed)/float64(f.g.M)), float64(f.g.K))
		}
	})
	of("the estimate is the number of additions", "items", func(s *conform.Subject[*Plain]) {
		counted(s)
		s.Items = func(f *Plain) float64 { return float64(f.seed) }
	})
	of("the estimate ends where 9 of 10 bits are set", "items", func(s *conform.Subject[*Plain]) {
		s.Items = func(f *Plain) float64 { return -math.Log1p(-min(f.share(), 0.9)) * float64(f.g.M) / float64(f.g.K) }
	})
	return all
}
