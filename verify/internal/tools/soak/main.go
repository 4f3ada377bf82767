// Command soak tests the examination of package conform with many runs:
//
//	go run ./verify/internal/tools/soak -resume FILE [-shard i/n] [-only wrong,blind,races,level,sound,power] [-seeds 1000] ...
//	go run ./verify/internal/tools/soak -summary FILE...
//
// Its parts are
//
//   - sound: filters without faults obey every law under every seed
//   - level: at each larger false-alarm probability, sound filters are accused no more often than this probability
//     allows
//   - wrong: every broken filter of package mutant is accused under its law, and under no other law unless its fault
//     also breaks that law
//   - blind: whether the filters of authors who knew only the interface are accused, each in a separate process
//   - power: how often a small fault is found, and after how much work
//   - races: how often each racy filter is accused, while other processes, which the command starts, keep twice the
//     number of processors busy
//
// A run is one examination with its own seed. The option -resume names the file to which the results are written. A run
// whose result is already in this file is not repeated. Each shard writes its own file, and -summary reads all these
// files. The exit status is 1 if a result is wrong. The file summary.txt is the output of -summary for the recorded
// runs. It says how many of the planned runs were made. Some numbers of the page docs/assurance.md come from this file.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// The type "plan" has the number of runs and the effort of each examination.
type plan struct {
	seeds, levels, wrongs, powers, races uint64
	effort, levelEffort, effortMax       float64
}

func main() {
	p := plan{}
	flag.Uint64Var(&p.seeds, "seeds", 1000, "seeds of sound filters under all laws")
	flag.Float64Var(&p.effort, "effort", 0.02, "effort of each of them")
	flag.Uint64Var(&p.levels, "levels", 2700, "seeds of sound filters at larger false-alarm probabilities")
	flag.Float64Var(&p.levelEffort, "level-effort", 0.02, "effort of each of them")
	flag.Uint64Var(&p.wrongs, "wrongs", 1, "seeds of each wrong filter, under all laws at a tenth of the effort, and then at effort 1 if it is not found")
	flag.Uint64Var(&p.races, "races", 100, "runs of each racy filter at effort 1")
	flag.Uint64Var(&p.powers, "powers", 100, "seeds of each small fault")
	flag.Float64Var(&p.effortMax, "power-effort", 10, "largest effort at which small faults are looked for")
	spin := flag.Bool("spin", false, "only keep a processor busy until standard input ends")
	name := flag.String("one", "", "only examine this fault of part blind, in a child")
	seed := flag.Uint64("one-seed", 0, "its seed")
	effort := flag.Float64("one-effort", 0, "its effort")
	shard := flag.String("shard", "1/1", "i/n: only the i-th of n parts of the runs")
	only := flag.String("only", strings.Join(allParts, ","), "the parts that are run, in this order")
	resume := flag.String("resume", "", "file of results: runs in it are not made again, others are added")
	summary := flag.Bool("summary", false, "print the summary of the files named")
	flag.Parse()
	if *spin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		for i := 0; ; i++ {
		}
	}
	if *name != "" {
		if err := one(*name, *seed, *effort); err != nil {
			fmt.Fprintln(os.Stderr, "soak:", err)
			os.Exit(1)
		}
		return
	}
	if err := start(os.Stdout, p, *shard, *only, *resume, *summary, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// The function "start" makes the remaining runs of a shard one after the other. Parallel runs would disturb the
// examination of snapshots. This examination measures how much memory the process allocates.
func start(w io.Writer, p plan, shard, only, resume string, summary bool, files []string) error {
	if summary {
		done, err := read(files)
		if err != nil {
			return err
		}
		return summarize(w, p, done)
	}
	var part, parts int
	if _, err := fmt.Sscanf(shard, "%d/%d", &part, &parts); err != nil || part < 1 || part > parts {
		return fmt.Errorf("-shard is %q, must be i/n with 1 <= i <= n", shard)
	}
	if resume == "" || len(files) > 0 {
		return errors.New("-resume must name the file of results, and nothing follows the flags")
	}
	runs, err := p.runs(strings.Split(only, ","))
	if err != nil {
		return err
	}
	done, err := read([]string{resume})
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	has := map[key]bool{}
	for _, r := range done {
		has[r.key] = true
	}
	file, err := os.OpenFile(resume, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.WriteString("\n"); err != nil { // the last line may be incomplete
		return err
	}
	stop := func() {}
	defer func() { stop() }()
	for i := part - 1; i < len(runs); i += parts {
		if has[runs[i].key] {
			continue
		}
		stop()
		if stop, err = load(runs[i]); err != nil {
			return err
		}
		r, err := runs[i].make()
		if err != nil {
			return fmt.Errorf("%v: %w", runs[i].key, err)
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
		done = append(done, r)
	}
	return summarize(w, p, done)
}

// The function "load" starts the background processes of a run. If a run belongs to the part "races", it has two such
// processes for each processor. Each process is busy until it is stopped. Other runs have none.
func load(r run) (stop func(), err error) {
	var busy []io.Closer
	var started []*exec.Cmd
	stop = func() {
		for i, c := range started {
			busy[i].Close()
			_ = c.Wait()
		}
	}
	if r.Part != partRaces {
		return stop, nil
	}
	self, err := os.Executable()
	for i := 0; i < 2*runtime.NumCPU() && err == nil; i++ {
		c := exec.Command(self, "-spin")
		var in io.WriteCloser
		if in, err = c.StdinPipe(); err == nil {
			if err = c.Start(); err == nil {
				busy, started = append(busy, in), append(started, c)
			}
		}
	}
	if err != nil {
		stop()
	}
	return stop, err
}

// The function "read" returns the results in the files. It skips a line that a stopped run left unfinished.
func read(files []string) (done []result, err error) {
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r result
			if json.Unmarshal(lines.Bytes(), &r) == nil {
				done = append(done, r)
			}
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return done, nil
}
