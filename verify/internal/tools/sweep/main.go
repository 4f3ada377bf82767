// Command sweep compares the functions of package approx with the enclosures of package exact. It does so at millions
// of points, some of them in difficult regions. It prints a summary of the largest errors:
//
//	go run ./verify/internal/tools/sweep -resume FILE [-points 1e6] [-shard i/n] [-only NAME]
//	go run ./verify/internal/tools/sweep -summary FILE...
//	go run ./verify/internal/tools/sweep -attack 2000 [-seed 1] [-only NAME]
//
// The third form of the command covers every exported function of package approx that states an error bound. It looks
// for arguments with large errors. It measures an error as a share of the function's bound. It prints shares.txt, which
// has the largest known share of each function. The known shares include those that the file had before.
//
// The points are divided into blocks of 1000. The points of a block depend only on the seed and the block's number. The
// option -resume names the file to which the results are written. A block whose result is already in this file is not
// run again. The shards can run on different machines. Each of them writes its own file, and -summary reads all these
// files. The exit status is 1 if an error exceeds its bound.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/internal/accuracy"
)

const (
	seed      = 1
	blockSize = 1000
	prec      = 70 // the precision of exact: 2^-17 of the smallest bound
)

func groups() []accuracy.Group {
	return append([]accuracy.Group{
		accuracy.Rate(bloomproof.Standard), accuracy.Rate(bloomproof.Classic), accuracy.Rate(bloomproof.Partitioned),
	}, accuracy.Bounds()...)
}

func main() {
	points := flag.Float64("points", 1e6, "points for each quantity")
	shard := flag.String("shard", "1/1", "i/n: only the i-th of n parts of the blocks")
	only := flag.String("only", "", "only quantities whose names contain this")
	resume := flag.String("resume", "", "file of results: blocks in it are not run again, others are added")
	summary := flag.Bool("summary", false, "print the summary of the files named")
	workers := flag.Int("workers", runtime.NumCPU(), "blocks that run at once")
	budget := flag.Int("attack", 0, "look for large shares of the bounds, with as many evaluations of each function")
	attackSeed := flag.Uint64("seed", 1, "of the attack")
	flag.Parse()
	if *budget > 0 {
		if err := attack(os.Stdout, *budget, *attackSeed, *only); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := start(*points, *shard, *only, *resume, *summary, *workers, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(points float64, shard, only, resume string, summary bool, workers int, files []string) error {
	if summary {
		done, err := read(files)
		if err != nil {
			return err
		}
		return summarize(os.Stdout, done)
	}
	var part, parts int
	_, err := fmt.Sscanf(shard, "%d/%d", &part, &parts)
	if err != nil || part < 1 || part > parts || !(points >= 1 && points <= 1e12) || resume == "" || len(files) > 0 || workers < 1 {
		flag.Usage()
		os.Exit(2)
	}
	done, err := read([]string{resume})
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	file, err := os.OpenFile(resume, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := file.WriteString("\n"); err != nil { // the last line may be incomplete
		return err
	}
	s := sweep{file: file, has: map[key]bool{}}
	s.add(done)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	blocks := (uint64(points) + blockSize - 1) / blockSize
	var todo []job
	for b := uint64(part - 1); b < blocks; b += uint64(parts) {
		for _, g := range groups() {
			if strings.Contains(strings.Join(g.Names, " "), only) && !s.has[key{g.Names[0], b}] {
				todo = append(todo, job{g, b})
			}
		}
	}
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		for _, j := range todo {
			select {
			case jobs <- j:
			case <-stop:
				return
			}
		}
	}()
	var wait sync.WaitGroup
	for range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := range jobs {
				s.run(j)
			}
		}()
	}
	wait.Wait()
	if err := file.Close(); err != nil {
		return err
	}
	if s.err != nil {
		return s.err
	}
	return summarize(os.Stdout, s.done)
}

// The points are divided into blocks. The type "block" has the results for one quantity and one of these blocks.
type block struct {
	Name   string  `json:"name"`
	Block  uint64  `json:"block"`
	Points int     `json:"points"` // the number of points at which the quantity is defined
	Error  float64 `json:"error"`  // largest error in units of 2^-53
	At     string  `json:"at"`
	Share  float64 `json:"share"` // largest share of its bound
	Near   string  `json:"near"`  // the point of this largest share
	Failed string  `json:"failed,omitempty"`
	Day    string  `json:"day"` // the day of the run
}

type job struct {
	group accuracy.Group
	block uint64
}

type sweep struct {
	mu   sync.Mutex
	file io.Writer
	done []block
	has  map[key]bool // the keys of done
	err  error        // the error of writing
}

// A result is for one quantity and one block of points. The type "key" identifies such a pair.
type key struct {
	name  string
	block uint64
}

// The variable "today" is the day of the run.
var today = time.Now().UTC().Format(time.DateOnly)

func (s *sweep) add(rows []block) {
	s.done = append(s.done, rows...)
	for _, r := range rows {
		s.has[key{r.Name, r.Block}] = true
	}
}

// The method "run" examines a block and writes a line for each of the group's quantities.
func (s *sweep) run(j job) {
	rows := examine(j.group, j.block, blockSize)
	var lines strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			panic(err) // a struct of numbers and strings
		}
		lines.Write(append(line, '\n'))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(rows)
	if _, err := io.WriteString(s.file, lines.String()); err != nil && s.err == nil {
		s.err = err
	}
}

// The function "examine" checks the numbers of the group g at the first points of the block b. The argument "count" is
// the number of these points.
func examine(g accuracy.Group, b uint64, count int) []block {
	rows := make([]block, len(g.Names))
	for i, name := range g.Names {
		rows[i] = block{Name: name, Block: b, Day: today}
	}
	for i := range count {
		p := accuracy.Draw(seed, b*blockSize+uint64(i))
		results, err := g.Check(p, prec)
		if err != nil {
			rows[0].Failed = err.Error()
			continue
		}
		for i, r := range results {
			if !r.Defined {
				continue
			}
			row := &rows[i]
			row.Points++
			if r.Error > row.Error {
				row.Error, row.At = r.Error, p.String()
			}
			if share := r.Error / r.Bound; share > row.Share {
				row.Share, row.Near = share, p.String()
			}
		}
	}
	return rows
}

// The function "read" returns the blocks of the files. It skips a last line that a stopped run left unfinished.
func read(files []string) (done []block, err error) {
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var b block
			if json.Unmarshal(lines.Bytes(), &b) == nil {
				done = append(done, b)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
		f.Close()
	}
	return done, nil
}

// The function "summarize" prints a row for each quantity. It returns an error if the check of a quantity failed.
// Blocks that occur twice count once.
func summarize(w io.Writer, done []block) error {
	seen := map[key]bool{}
	total := map[string]*block{}
	blocks := map[string]int{}
	var names, failed []string
	var day string
	for _, b := range done {
		if seen[key{b.Name, b.Block}] {
			continue
		}
		seen[key{b.Name, b.Block}] = true
		day = max(day, b.Day)
		t := total[b.Name]
		if t == nil {
			t = &block{Name: b.Name}
			total[b.Name] = t
			names = append(names, b.Name)
		}
		blocks[b.Name]++
		t.Points += b.Points
		if b.Error > t.Error || b.Error == t.Error && b.At < t.At {
			t.Error, t.At = b.Error, b.At
		}
		if b.Share > t.Share || b.Share == t.Share && b.Near < t.Near {
			t.Share, t.Near = b.Share, b.Near
		}
		if b.Failed != "" {
			failed = append(failed, b.Failed)
		}
	}
	slices.Sort(names)
	fmt.Fprintf(w, "approx against exact at %d bits, seed %d, blocks of %d points, last on %s; u = 2^-53\n\n", prec, seed, blockSize, day)
	fmt.Fprintf(w, "%-23s %9s %9s %10s %10s  %-38s %8s  %s\n",
		"quantity", "points", "defined", "worst (u)", "relative", "at {m, n, k}", "of bound", "at {m, n, k}")
	for _, name := range names {
		t := total[name]
		fmt.Fprintf(w, "%-23s %9d %9d %10.2f %10.2g  %-38s %7.2f%%  %s\n",
			name, blocks[name]*blockSize, t.Points, t.Error, t.Error*0x1p-53, t.At, 100*t.Share, t.Near)
	}
	if len(failed) > 0 {
		slices.Sort(failed)
		return fmt.Errorf("%d blocks failed, the first at %s", len(failed), failed[0])
	}
	return nil
}
