package kernel_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"expvar"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

// How likely is this filter, as it stands, to call a new key known?
func Example() {
	f, err := kernel.New(bloomproof.Geometry{M: 1024, K: 7, Hashing: bloomproof.Classic}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 100 {
		f.Add(fmt.Appendf(nil, "user-%d", i))
	}
	fmt.Println(f.Contains([]byte("user-42")), f.Contains([]byte("nobody")))
	n, _ := f.Items()
	fmt.Printf("%d of 1024 bits, rate %.6f, about %.1f keys\n", f.Bits(), f.Rate(), n)
	// Output:
	// true false
	// 511 of 1024 bits, rate 0.007548, about 100.8 keys
}

// Many look-ups at once are faster than one after the other.
func ExampleFilter_ContainsBatch() {
	f, err := kernel.New(bloomproof.Geometry{M: 4096, K: 5}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fresh := f.AddBatch(nil, kernel.KeysOf([][]byte{[]byte("ant"), []byte("bee"), []byte("ant")}))
	fmt.Println("a bit was new:", fresh)
	known := f.ContainsBatch(fresh[:0], kernel.KeysOf([][]byte{[]byte("bee"), []byte("cat"), []byte("ant")}))
	fmt.Println("known:", known)
	// Output:
	// a bit was new: [true true false]
	// known: [true false true]
}

// Keys by the million that are all at hand: their positions are sorted first.
func ExampleFilter_AddBulk() {
	f, err := kernel.New(bloomproof.Geometry{M: 8 << 23, K: 5}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	hashes := make([]kernel.Hash, 100_000)
	for i := range hashes {
		hashes[i] = f.Hasher().Bytes(fmt.Appendf(nil, "key-%d", i))
	}
	fresh := f.AddBulk(kernel.KeysOf(hashes))
	fmt.Println(fresh == f.Bits(), f.Contains([]byte("key-77")), f.AddBulk(kernel.KeysOf(hashes)))
	// Output:
	// true true 0
}

// A batch of arrivals is observed in turn, recycling included.
func ExampleRecyclingFilter_ObserveBatch() {
	f, err := kernel.NewRecycling(
		bloomproof.Geometry{M: 4096, K: 4},
		bloomproof.Recycling{Messages: 3},
		kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var keys [][]byte
	for _, message := range []string{"a", "b", "a", "c", "a"} {
		keys = append(keys, []byte(message))
	}
	for i, o := range f.ObserveBatch(nil, kernel.KeysOf(keys)) {
		fmt.Printf("%s repeat: %t, recycled: %t\n", keys[i], o.Repeat(), o.Recycled)
	}
	// Output:
	// a repeat: false, recycled: false
	// b repeat: false, recycled: false
	// a repeat: true, recycled: false
	// c repeat: false, recycled: true
	// a repeat: false, recycled: false
}

// A filter of two phases remembers between one and two cycles of messages.
func ExampleRecyclingFilter() {
	f, err := kernel.NewRecycling(
		bloomproof.Geometry{M: 4096, K: 4},
		bloomproof.Recycling{Messages: 3, TwoPhase: true},
		kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f.OnRecycle = func(e kernel.CycleState) {
		fmt.Printf("cycle %d ends: %d bits after %d arrivals\n", e.Cycle, e.Bits, e.Arrivals)
	}
	for _, message := range []string{"a", "b", "a", "c", "d", "a", "e", "f", "b", "c"} {
		o := f.Observe([]byte(message))
		fmt.Println(message, "repeat:", o.Repeat())
	}
	// Output:
	// a repeat: false
	// b repeat: false
	// a repeat: true
	// cycle 0 ends: 12 bits after 4 arrivals
	// c repeat: false
	// d repeat: false
	// a repeat: true
	// cycle 1 ends: 12 bits after 3 arrivals
	// e repeat: false
	// f repeat: false
	// b repeat: false
	// cycle 2 ends: 12 bits after 3 arrivals
	// c repeat: false
}

// A counting filter forgets keys one by one, and tells about how often each is there.
func ExampleCountingFilter() {
	f, err := kernel.NewCounting(bloomproof.Geometry{M: 4096, K: 4}, 8, bloomproof.Distinct, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, visitor := range []string{"ann", "ben", "ann", "cem", "ann"} {
		f.Add([]byte(visitor))
	}
	f.Remove([]byte("ben"))
	for _, visitor := range []string{"ann", "ben", "cem"} {
		n, _ := f.Count([]byte(visitor))
		fmt.Println(visitor, f.Contains([]byte(visitor)), n)
	}
	fmt.Println("removed again:", f.Remove([]byte("ben")))
	// Output:
	// ann true 3
	// ben false 0
	// cem true 1
	// removed again: false
}

// What is sent to others, who only look keys up, needs no counters.
func ExampleCountingFilter_Filter() {
	f, err := kernel.NewCounting(bloomproof.Geometry{M: 4096, K: 4}, 4, bloomproof.Distinct, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f.Add([]byte("ann"))
	counters, _ := f.MarshalBinary()
	bits, _ := f.Filter().MarshalBinary()
	fmt.Println(len(counters), len(bits), f.Filter().Contains([]byte("ann")))
	// Output:
	// 2176 640 true
}

// A filter is made once, and then looked at by processes that start at once and share its
// memory.
func ExampleMapFilter() {
	f, err := kernel.New(bloomproof.Geometry{M: 4096, K: 4}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f.Add([]byte("ann"))
	data, _ := f.MarshalBinary()
	path := filepath.Join(os.TempDir(), fmt.Sprintf("bloomproof-example-%d", os.Getpid()))
	defer os.Remove(path)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		fmt.Println(err)
		return
	}

	m, err := kernel.MapFilter(path, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	fmt.Println(m.Contains([]byte("ann")), m.Contains([]byte("ben")))
	if err := m.Err(); err != nil { // somebody truncated the file, or wrote to it
		fmt.Println("these answers do not count:", err)
	}
	fmt.Println("damaged:", m.Verify() != nil)
	// Output:
	// true false
	// damaged: false
}

// Shards that were filled apart with the same options can be merged.
func ExampleFilter_Union() {
	g := bloomproof.Geometry{M: 10_000, K: 5}
	var shards [2]*kernel.Filter
	for i := range shards {
		var err error
		if shards[i], err = kernel.New(g, kernel.Options{Seed: 2026}); err != nil {
			fmt.Println(err)
			return
		}
		for j := range 600 {
			shards[i].Add(fmt.Appendf(nil, "key-%d", 400*i+j)) // 200 keys in common
		}
	}
	both, _, err := shards[0].IntersectionItems(shards[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := shards[0].Union(shards[1]); err != nil {
		fmt.Println(err)
		return
	}
	all, _ := shards[0].Items()
	fmt.Printf("about %.0f keys in all, %.0f in both\n", all, both)
	// Output:
	// about 1007 keys in all, 199 in both
}

// One filter from shards that were filled on other machines and arrive as snapshots, one
// after the other. Each has the geometry of the whole.
func ExampleFilter_ReadFrom() {
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	shard := func(i int) io.Reader { // elsewhere
		f, err := kernel.New(g, kernel.Options{})
		if err != nil {
			panic(err)
		}
		for j := range 1000 {
			f.Add(fmt.Appendf(nil, "key-%d", 1000*i+j))
		}
		var snapshot bytes.Buffer
		if _, err := f.WriteTo(&snapshot); err != nil {
			panic(err)
		}
		return &snapshot
	}

	all, err := kernel.New(g, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	part := new(kernel.Filter)
	for i := range 5 {
		if _, err := part.ReadFrom(shard(i)); err != nil {
			fmt.Println(err)
			return
		}
		if err := all.Union(part); err != nil {
			fmt.Println(err)
			return
		}
	}
	n, _ := all.Items()
	fmt.Printf("%v %v, about %.0f keys\n", all.Contains([]byte("key-0")), all.Contains([]byte("key-4999")), n)
	// Output: true true, about 4983 keys
}

// Keys that are no []byte: a string and an integer, singly and in batches, and a hash that
// serves several filters.
func ExampleHasher() {
	g := bloomproof.Geometry{M: 1 << 16, K: 7}
	users, err := kernel.New(g, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	admins := users.Clone()
	h := users.Hasher()
	users.AddHash(h.String("ann"))
	users.AddHash(h.Uint64(4711))
	users.AddBatch(nil, kernel.KeysOf([]string{"bob", "eve"}))
	users.AddBatch(nil, kernel.KeysOf([]uint64{4712, 4713}))

	ann := h.String("ann")
	fmt.Println(users.ContainsHash(ann), admins.ContainsHash(ann))
	fmt.Println(users.ContainsBatch(nil, kernel.KeysOf([]string{"ann", "bob", "zoe"})))
	fmt.Println(users.Contains([]byte("eve")), users.ContainsHash(h.Uint64(4713)))
	// Output:
	// true false
	// [true true false]
	// true true
}

// Keys of any type, by a hash of your own: here pairs of integers. The hash must look uniform in all 128 bits, as the
// first half of SHA-256 does.
func ExampleHash() {
	type edge struct{ from, to uint64 }
	hash := func(e edge) kernel.Hash {
		sum := sha256.Sum256(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, e.from), e.to))
		return kernel.Hash{H0: binary.LittleEndian.Uint64(sum[:]), H1: binary.LittleEndian.Uint64(sum[8:])}
	}
	edges, err := kernel.New(bloomproof.Geometry{M: 1 << 16, K: 7}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	edges.AddHash(hash(edge{1, 2}))
	edges.AddBatch(nil, kernel.KeysOf([]kernel.Hash{hash(edge{2, 3}), hash(edge{3, 1})}))
	fmt.Println(edges.ContainsHash(hash(edge{3, 1})), edges.ContainsHash(hash(edge{1, 3})))
	// Output: true false
}

// How alike two sets of bits are: the ones in common by the ones in either.
func ExampleAndCount() {
	a := []uint64{0b1011, 1 << 63}
	b := []uint64{0b0011, 1 << 63}
	fmt.Printf("%d of %d, Hamming distance %d\n", kernel.AndCount(a, b), kernel.OrCount(a, b), kernel.XorCount(a, b))
	fmt.Println(kernel.AndNotCount(a, b) == 0, kernel.AndNotCount(b, a) == 0) // whether one has all of the other's
	// Output:
	// 3 of 4, Hamming distance 1
	// false true
}

// Many goroutines fill one filter; its copy is written as a snapshot.
func ExampleConcurrentFilter() {
	empty, err := kernel.New(bloomproof.Geometry{M: 100_000, K: 7}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := empty.Concurrent()
	var all sync.WaitGroup
	for worker := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 2000 {
				f.Add(fmt.Appendf(nil, "user-%d", 1000*worker+i)) // half are another's too
			}
		}()
	}
	all.Wait()
	filled := f.Filter()
	n, _ := filled.Items()
	fmt.Printf("about %.0f of 5000 users\n", n)
	data, err := filled.MarshalBinary()
	if err != nil {
		fmt.Println(err)
		return
	}
	var restored kernel.Filter
	if err := restored.UnmarshalBinary(data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(restored.Contains([]byte("user-4999")), restored.Concurrent().Bits() == f.Bits())
	// Output:
	// about 4985 of 5000 users
	// true true
}

// Many goroutines share a filter. Each cycle ends at its 1000th message, whoever observes
// that.
func ExampleConcurrentRecycling() {
	single, err := kernel.NewRecycling(
		bloomproof.Geometry{M: 1 << 20, K: 10},
		bloomproof.Recycling{Messages: 1000, TwoPhase: true},
		kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	single.OnRecycle = func(e kernel.CycleState) { // never by two at a time
		fmt.Printf("cycle %d ends with %d messages\n", e.Cycle, e.Messages)
	}
	f := single.Concurrent()
	var all sync.WaitGroup
	for worker := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 625 {
				f.Observe(fmt.Appendf(nil, "message-%d-%d", worker, i))
			}
		}()
	}
	all.Wait()
	fmt.Printf("cycle %d has %d\n", f.State().Cycle, f.State().Messages)
	// Output:
	// cycle 0 ends with 1000 messages
	// cycle 1 ends with 1000 messages
	// cycle 2 has 500
}

// A service publishes how full its filter is and its rate, which take no look-ups, for whoever collects its variables.
func ExampleConcurrentFilter_expvar() {
	empty, err := kernel.New(bloomproof.Geometry{M: 1 << 16, K: 7}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := empty.Concurrent()
	expvar.Publish("seen", expvar.Func(func() any { return seen.Stats() }))
	for i := range 5000 {
		seen.Add(fmt.Appendf(nil, "request-%d", i))
	}
	// What a monitor reads from /debug/vars:
	var now kernel.Stats
	if err := json.Unmarshal([]byte(expvar.Get("seen").String()), &now); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d bits in %d bytes, about %.0f keys, rate %.6f\n", now.Bits, now.M, now.Bytes, now.Items, now.Rate)
	// Output: 27120 of 65536 bits in 8192 bytes, about 5001 keys, rate 0.002078
}

// A page of metrics that Prometheus can read, without its library.
func ExampleStats_All() {
	seen, err := kernel.New(bloomproof.Geometry{M: 1 << 16, K: 8, Block: 512, Hashing: bloomproof.Partitioned}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range uint64(5000) {
		seen.AddHash(seen.Hasher().Uint64(i))
	}
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range seen.Stats().All() {
			fmt.Fprintf(w, "# TYPE seen_%s gauge\nseen_%s %.9g\n", name, name, value)
		}
	})
	page := httptest.NewRecorder()
	metrics.ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	fmt.Print(page.Body)
	// Output:
	// # TYPE seen_m gauge
	// seen_m 65536
	// # TYPE seen_k gauge
	// seen_k 8
	// # TYPE seen_bits gauge
	// seen_bits 29933
	// # TYPE seen_fill gauge
	// seen_fill 0.456741333
	// # TYPE seen_items gauge
	// seen_items 4998.20514
	// # TYPE seen_rate gauge
	// seen_rate 0.00250510141
	// # TYPE seen_bytes gauge
	// seen_bytes 8192
}

// Nobody knows how many keys will come: a chain of filters, made for 1000 keys at first, keeps a rate of
// 1 %. (exact.Growing makes such layers.)
func ExampleGrowingFilter() {
	f, err := kernel.NewGrowing([]bloomproof.Layer{
		{Geometry: bloomproof.Geometry{M: 11056, K: 8}, Sigma: 5701},
		{Geometry: bloomproof.Geometry{M: 24975, K: 9}, Sigma: 12834},
		{Geometry: bloomproof.Geometry{M: 55700, K: 10}, Sigma: 28546},
	}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 5000 {
		f.Add(fmt.Appendf(nil, "user-%d", i))
		if (i+1)%1000 == 0 {
			fmt.Printf("%d keys: bits %v, rate %.5f\n", i+1, f.LayerBits(), f.Rate())
		}
	}
	// Output:
	// 1000 keys: bits [5625], rate 0.00449
	// 2000 keys: bits [5696 7349], rate 0.00498
	// 3000 keys: bits [5696 12625], rate 0.00711
	// 4000 keys: bits [5696 12831 8673], rate 0.00744
	// 5000 keys: bits [5696 12831 16423], rate 0.00745
}
