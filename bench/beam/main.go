// Command beam runs two Apache Beam pipelines. One builds a filter from the lines of many files, and the other looks up
// the lines of other files in it:
//
//	go run . -keys 'keys/*.txt' -m 8388608 -k 7 -snapshot all.bloom
//	go run . -snapshot all.bloom -queries 'queries/*.txt' -answers known.txt
//
// Each bundle of keys fills a separate filter of the same geometry, and then the filters are united. The result has the
// bits of a single filter to which all keys were added. The file of answers lists the queries that the filter contains.
// By default Beam's local runner, prism, runs everything in this process. The flag -runner selects other runners (see
// README.md).
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/kernel"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[*kernel.Filter](), encode, decode)
	register.Combiner2[*kernel.Filter, string](&buildFn{})
	register.DoFn1x1[*kernel.Filter, error](&writeFn{})
	register.DoFn2x0[string, func(string)](&askFn{})
	register.Emitter1[string]()
}

// encode returns the snapshot of a filter, which is sent from machine to machine.
func encode(f *kernel.Filter) ([]byte, error) { return f.MarshalBinary() }

func decode(snapshot []byte) (*kernel.Filter, error) {
	f := new(kernel.Filter)
	return f, f.UnmarshalBinary(snapshot)
}

// buildFn combines keys into a filter. Its fields are sent to the workers.
type buildFn struct {
	Geometry bloomproof.Geometry
	Seed     uint64
}

// CreateAccumulator returns an empty filter.
func (b *buildFn) CreateAccumulator() (*kernel.Filter, error) {
	return kernel.New(b.Geometry, kernel.Options{Seed: b.Seed})
}

// AddInput adds a key, in place.
func (b *buildFn) AddInput(f *kernel.Filter, key string) *kernel.Filter {
	f.Add([]byte(key))
	return f
}

// MergeAccumulators adds the keys of g to f, in place.
func (b *buildFn) MergeAccumulators(f, g *kernel.Filter) (*kernel.Filter, error) {
	return f, f.Union(g)
}

// writeFn writes the final filter to a file, either completely or not at all.
type writeFn struct{ Path string }

// ProcessElement writes f.
func (w *writeFn) ProcessElement(f *kernel.Filter) (err error) {
	file, err := os.CreateTemp(filepath.Dir(w.Path), filepath.Base(w.Path))
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // fails harmlessly if the file has its final name
	if err = file.Chmod(0o644); err == nil {
		_, err = f.WriteTo(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), w.Path)
}

// askFn passes on those queries that the filter of a snapshot contains. The file is mapped, so the workers of a machine
// share one copy in memory.
type askFn struct {
	Path string
	f    *kernel.MappedFilter
}

// Setup opens the snapshot and checks it completely.
func (a *askFn) Setup() (err error) {
	if a.f, err = kernel.MapFilter(a.Path, kernel.Options{}); err != nil {
		return err
	}
	return a.f.Verify()
}

// ProcessElement emits query if the filter contains it.
func (a *askFn) ProcessElement(query string, emit func(string)) {
	if a.f.Contains([]byte(query)) {
		emit(query)
	}
}

// Teardown closes the snapshot.
func (a *askFn) Teardown() error { return a.f.Close() }

// The function build adds a pipeline to s that writes a snapshot to path. Its keys are the lines of the files that
// match glob.
func build(s beam.Scope, b buildFn, glob, path string) {
	keys := textio.Read(s, glob)
	beam.ParDo0(s, &writeFn{path}, beam.Combine(s, &b, keys))
}

// ask adds a pipeline to s that looks up the lines of the files that match glob. The pipeline writes to the file
// answers those lines that the snapshot at path contains.
func ask(s beam.Scope, path, glob, answers string) {
	textio.Write(s, answers, beam.ParDo(s, &askFn{Path: path}, textio.Read(s, glob)))
}

func main() {
	var b buildFn
	keys := flag.String("keys", "", "files whose lines are keys")
	flag.Uint64Var(&b.Geometry.M, "m", 1<<23, "bits")
	flag.IntVar(&b.Geometry.K, "k", 7, "positions a key")
	flag.TextVar(&b.Geometry.Hashing, "hashing", bloomproof.Standard, "standard, classic or partitioned")
	flag.Uint64Var(&b.Seed, "seed", 0, "seed of the hash")
	snapshot := flag.String("snapshot", "", "the filter: written when there are keys, read when there are queries")
	queries := flag.String("queries", "", "files whose lines are asked for")
	answers := flag.String("answers", "", "file for the lines that are contained")
	flag.Parse()
	beam.Init()
	if err := run(context.Background(), b, *keys, *snapshot, *queries, *answers); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, b buildFn, keys, snapshot, queries, answers string) error {
	if snapshot == "" || keys == "" && queries == "" || (queries == "") != (answers == "") {
		return fmt.Errorf("beam: -snapshot with -keys, or with -queries and -answers, or all")
	}
	if _, err := b.CreateAccumulator(); err != nil {
		return err // detect the error before workers are started
	}
	if keys != "" {
		p, s := beam.NewPipelineWithRoot()
		build(s, b, keys, snapshot)
		if err := beamx.Run(ctx, p); err != nil {
			return err
		}
	}
	if queries == "" {
		return nil
	}
	p, s := beam.NewPipelineWithRoot()
	ask(s, snapshot, queries, answers)
	return beamx.Run(ctx, p)
}
