// Command beam builds one filter from the lines of many files, and answers for the lines of
// others, as Apache Beam pipelines:
//
//	go run . -keys 'keys/*.txt' -m 8388608 -k 7 -snapshot all.bloom
//	go run . -snapshot all.bloom -queries 'queries/*.txt' -answers known.txt
//
// Each bundle of keys fills a filter of its own, of the geometry of the whole, and the filters
// are united; what is written has the bits of one filter to which all keys were added. The
// answers are the queries that it contains. By default Beam's local runner, prism, does all in
// this process; -runner names others (see README.md).
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

// A filter goes from machine to machine as its snapshot.
func encode(f *kernel.Filter) ([]byte, error) { return f.MarshalBinary() }

func decode(snapshot []byte) (*kernel.Filter, error) {
	f := new(kernel.Filter)
	return f, f.UnmarshalBinary(snapshot)
}

// buildFn combines keys to a filter. Its fields are sent to the workers.
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

// MergeAccumulators adds to f, in place, what g holds.
func (b *buildFn) MergeAccumulators(f, g *kernel.Filter) (*kernel.Filter, error) {
	return f, f.Union(g)
}

// writeFn writes the one filter there is to a file, all or nothing.
type writeFn struct{ Path string }

// ProcessElement writes f.
func (w *writeFn) ProcessElement(f *kernel.Filter) (err error) {
	file, err := os.CreateTemp(filepath.Dir(w.Path), filepath.Base(w.Path))
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // unless it has its name by then
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

// askFn passes the queries that a snapshot contains. The file is mapped: the workers of a
// machine have it in memory once.
type askFn struct {
	Path string
	f    *kernel.MappedFilter
}

// Setup opens the snapshot and checks all of it.
func (a *askFn) Setup() (err error) {
	if a.f, err = kernel.MapFilter(a.Path, kernel.Options{}); err != nil {
		return err
	}
	return a.f.Verify()
}

// ProcessElement passes query if it is contained.
func (a *askFn) ProcessElement(query string, emit func(string)) {
	if a.f.Contains([]byte(query)) {
		emit(query)
	}
}

// Teardown closes the snapshot.
func (a *askFn) Teardown() error { return a.f.Close() }

// build adds to s: the lines of the files of glob become a snapshot at path.
func build(s beam.Scope, b buildFn, glob, path string) {
	keys := textio.Read(s, glob)
	beam.ParDo0(s, &writeFn{path}, beam.Combine(s, &b, keys))
}

// ask adds to s: the lines of the files of glob that the snapshot at path contains are written
// to answers.
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
		return err // before workers are started for it
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
