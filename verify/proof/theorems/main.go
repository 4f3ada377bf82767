// Command theorems makes Coq check the theorems of this folder. It prints a line for each theorem. This output line
// says how many lines the statement and the proof have. It also has the processor time of Coq in seconds, and the
// axioms:
//
//	go run ./verify/proof/theorems         check
//	go run ./verify/proof/theorems -table  check, and write the table of README.md
//	go run ./verify/proof/theorems -count  write exact/testdata/counted.txt.
//
// Coq also computes the rates for the cases in cases.v. The command compares them with exact/testdata/counted.txt,
// which the tests of package exact read.
//
// A theorem is accepted if Coq compiles its file and prints "Closed under the global context" for the theorem. This
// means that the theorem depends on no axiom. For Coq, a theorem with an unfinished proof is an axiom, so the command
// refuses such a theorem. The command needs Coq 8.16 and the Mathematical Components library. In Debian, these are the
// packages coq and libcoq-mathcomp. Run it in the module's folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The constant "folder" is the path of the folder with the theorems, relative to the module's folder.
const folder = "verify/proof/theorems"

// The list "files" has the names of the files that Coq compiles. Each file comes after the files that it requires.
var files = []string{"standard.v", "partitioned.v", "classic.v", "blocked.v", "double.v", "sequences.v", "steps.v", "cases.v",
	"size.v", "size_blocked.v", "search.v", "search_blocked.v",
	"means.v", "claims.v", "occupancy.v", "laws.v", "hypergeometric.v", "moments.v", "order.v", "series.v", "machine.v", "recycling.v",
	"numbers.v", "chance.v", "popularity.v", "optimum.v", "classic_below.v", "intersections.v", "statistics.v", "averages.v", "differences.v", "kemp.v", "few_items.v",
	"generating.v", "strict.v", "placements.v", "efficiency.v", "estimates.v", "natural.v", "fields.v", "decimals.v", "approach.v", "peaks.v", "best_efficiency.v",
	"approximations.v", "ranks.v", "best_k.v", "central.v", "near_exp.v", "levels.v", "chains.v", "long_run.v", "retaining.v", "bose.v", "counting.v", "bounded.v", "costs.v", "renewal.v", "cycles.v", "repeats.v", "independent.v", "domination.v", "majorized.v", "lower_bound.v", "renewal_sums.v", "by_messages.v", "message_bounds.v", "freezing.v", "valleys.v", "crossings.v", "figures.v",
	"examples.v", "messages.v", "large.v", "fan_bounds.v", "figure7.v", "ring.v", "figure9.v", "disjoint.v", "scan.v", "section5_standard.v", "section5_classic.v", "section5.v", "walker.v", "compression.v", "figure10.v", "coincide.v", "fan_figure3.v"}

// The constant "closed" is the text that Coq prints for a theorem without axioms.
const closed = "Closed under the global context"

// A theorem is a named statement in a file, with its proof.
type theorem struct {
	name, file, says string
	start, end       int     // statement and proof, in the bytes of the file
	lines            int     // of statement and proof
	seconds          float64 // of a processor, for them, where Coq checked them
}

var statement = regexp.MustCompile(`(?s)\(\* ([^*]*?) \*\)\n(?:Lemma [^\n]*\n(?:[^\n]+\n)*?Qed\.\n\n)?Theorem (\w+)`)

// The regular expression proofEnd matches the last word of a proof. A theorem that ends with Admitted has no proof; Coq
// lists it as an axiom.
var proofEnd = regexp.MustCompile(`(?m)\b(?:Qed|Admitted)\.$`)

// theoremsOf returns the theorems in a file's text, each with the comment before it. It returns an error if a theorem
// has no comment.
func theoremsOf(file, text string) ([]theorem, error) {
	var all []theorem
	for _, at := range statement.FindAllStringSubmatchIndex(text, -1) {
		start := at[4] - len("Theorem ")
		end := proofEnd.FindStringIndex(text[start:])
		if end == nil {
			return nil, fmt.Errorf("%s: %s has no end of its proof", file, text[at[4]:at[5]])
		}
		all = append(all, theorem{
			name: text[at[4]:at[5]], file: file, says: strings.Join(strings.Fields(text[at[2]:at[3]]), " "),
			start: start, end: start + end[1], lines: strings.Count(text[start:start+end[1]], "\n") + 1,
		})
	}
	if n := strings.Count(text, "\nTheorem "); n != len(all) {
		return nil, fmt.Errorf("%s: %d of %d theorems have a comment that says what they state", file, len(all), n)
	}
	return all, nil
}

// The function "check" compiles a file in dir. The files before it must already be compiled there. Then the function
// asks Coq for the axioms of each theorem in the file.
// Errors: the error of Coq, with its output, or an error that names a theorem and its axioms.
func check(dir, file, text string) ([]theorem, error) {
	all, err := theoremsOf(file, text)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
		return nil, err
	}
	out, err := coqc(dir, file, "-time")
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", file, err, sentence.ReplaceAllString(out, ""))
	}
	spend(all, out)
	// First Coq is asked for the axioms of all theorems together. If there are axioms, Coq is asked about each theorem
	// separately, so that the error can name the theorem.
	if out, err := axioms(dir, file, all); err == nil && out == strings.Repeat(closed+"\n", len(all)) {
		return all, nil
	}
	for i, th := range all {
		out, err := axioms(dir, file, all[i:i+1])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w\n%s", file, th.name, err, out)
		}
		if strings.TrimSpace(out) != closed {
			return nil, fmt.Errorf("%s: %s rests on axioms:\n%s", file, th.name, out)
		}
	}
	return all, nil
}

// With the flag -time, Coq prints a line for each sentence of a file. The regular expression "sentence" matches this
// line. The line has the offsets in bytes at which the sentence begins and ends. It also has the seconds of processor
// time that Coq needed.
var sentence = regexp.MustCompile(`(?m)^Chars (\d+) - (\d+) \[.*\] [\d.]+ secs \(([\d.]+)u,.*\n`)

// Coq prints a processor time for each sentence of a proof. For each theorem, the function "spend" adds these times to
// the field "seconds". The argument "printed" is what Coq printed with the flag -time.
func spend(all []theorem, printed string) {
	for _, s := range sentence.FindAllStringSubmatch(printed, -1) {
		from, _ := strconv.Atoi(s[1])
		to, _ := strconv.Atoi(s[2])
		seconds, _ := strconv.ParseFloat(strings.TrimSuffix(s[3], "."), 64)
		for i := range all {
			if all[i].start <= from && to <= all[i].end {
				all[i].seconds += seconds
			}
		}
	}
}

// The function "axioms" asks Coq for the axioms on which the given theorems depend. It returns what Coq prints. The
// file must already be compiled in the folder dir.
func axioms(dir, file string, of []theorem) (string, error) {
	module := strings.TrimSuffix(file, ".v")
	ask := fmt.Sprintf("From Bloomproof Require %s.\n", module)
	for _, th := range of {
		ask += fmt.Sprintf("Print Assumptions %s.%s.\n", module, th.name)
	}
	name := "ask_" + module + ".v" // files are checked at the same time
	if err := os.WriteFile(filepath.Join(dir, name), []byte(ask), 0o644); err != nil {
		return "", err
	}
	return coqc(dir, name)
}

// The function "coqc" makes Coq compile a file of the folder dir, and returns what Coq printed. The files of dir can
// import one another under the name Bloomproof. Coq's warnings are turned off, because they concern only the notations
// of the Mathematical Components library.
func coqc(dir, file string, flags ...string) (string, error) {
	cmd := exec.Command("coqc", append(flags, "-q", "-w", "none", "-Q", ".", "Bloomproof", file)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// tableHead is the heading of the table of theorems in README.md.
const tableHead = "| theorem | file | lines | seconds | axioms | states |\n| --- | --- | --: | --: | --- | --- |\n"

// The function "table" returns the table of theorems in README.md. The argument "all" must contain only theorems that
// were checked and depend on no axiom.
func table(all []theorem) string {
	var b strings.Builder
	b.WriteString(tableHead)
	for _, th := range all {
		fmt.Fprintf(&b, "| `%s` | `%s` | %d | %.1f | none | %s |\n", th.name, th.file, th.lines, th.seconds, th.says)
	}
	return b.String()
}

// The function "unchecked" returns the theorems that the files state, without checking them.
func unchecked(root string) ([]theorem, error) {
	var all []theorem
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, folder, file))
		if err != nil {
			return nil, err
		}
		of, err := theoremsOf(file, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

// writeTable replaces the table at the end of README.md by the table of the theorems that were checked.
func writeTable(root string, all []theorem) error {
	path := filepath.Join(root, folder, "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, _, ok := strings.Cut(string(text), tableHead)
	if !ok {
		return fmt.Errorf("%s has no table", path)
	}
	return os.WriteFile(path, []byte(before+table(all)), 0o644)
}

// Coq computes rates. The constant "counted" is the path of the file with these rates.
const counted = "exact/testdata/counted.txt"

// countedHead is the text of the first lines of the file counted.txt.
const countedHead = `# Rates of small filters: hashing m block n k false_positives outcomes; block 0 for none.
# Coq counts the pairs of a state and a query, by theorems of verify/proof/theorems/cases.v; make theorems compares.
`

// The file cases.v contains lists of rates. The variable "kinds" has the name of each of these lists. Each row of such
// a list contains a number of bits. The two other fields say what this number means. If the field "words" is true, the
// filter consists of k words. The number is then the size of one word in bits. If the field "blocks" is true, the
// filter consists of blocks. The number then describes one block.
var kinds = []struct {
	rows, hashing string
	words, blocks bool
}{
	{"standard_rows", "standard", false, false},
	{"classic_rows", "classic", false, false},
	{"partitioned_rows", "partitioned", true, false},
	{"standard_blocked_rows", "standard", false, true},
	{"classic_blocked_rows", "classic", false, true},
	{"split_rows", "partitioned", true, true},
}

var coqRow = regexp.MustCompile(`\[:: (\d+); (\d+); (\d+); (\d+); (\d+); (\d+)\]`)

// The function "count" returns the text that the file counted.txt must have. The text contains the rates that Coq
// computes. The file cases.v must already be compiled in the folder dir.
func count(dir string) (string, error) {
	const few = 20 // a shorter list means that it was not read completely
	text := countedHead
	for _, kind := range kinds {
		ask := "From Coq Require Import NArith.\nFrom mathcomp Require Import all_ssreflect.\nFrom Bloomproof Require Import cases.\n" +
			"Open Scope N_scope.\nSet Printing Width 1000000.\nSet Printing Depth 1000000.\nEval vm_compute in " + kind.rows + ".\n"
		if err := os.WriteFile(filepath.Join(dir, "ask.v"), []byte(ask), 0o644); err != nil {
			return "", err
		}
		out, err := coqc(dir, "ask.v")
		if err != nil {
			return "", fmt.Errorf("%s: %w\n%s", kind.rows, err, out)
		}
		rows := coqRow.FindAllStringSubmatch(out, -1)
		if len(rows) < few || strings.Count(out, ";")+1 != 6*len(rows) { // five within a row, one between two
			return "", fmt.Errorf("%s: %d rows read of what Coq printed", kind.rows, len(rows))
		}
		for _, r := range rows {
			blocks, _ := strconv.ParseUint(r[1], 10, 32)
			bits, _ := strconv.ParseUint(r[2], 10, 32)
			k, _ := strconv.ParseUint(r[4], 10, 32)
			if kind.words {
				bits *= k
			}
			block := uint64(0)
			if kind.blocks {
				block = bits
			}
			text += fmt.Sprintln(kind.hashing, blocks*bits, block, r[3], k, r[5], r[6])
		}
	}
	return text, nil
}

// In a Coq file, the command "Require Import" names other files. The regular expression "imports" matches this command.
var imports = regexp.MustCompile(`(?s)From Bloomproof Require Import ([^.]*)\.`)

// The function "each" calls the function "do" for each file and its text. The number of calls that run at the same time
// is the number of processors. A file may require other files. The call for this file begins when the calls for all
// required files have ended. If calls fail, the function returns the error of the failed file that comes first in the
// list.
func each(root string, do func(i int, file, text string) error) error {
	texts, before, done := make([]string, len(files)), make([][]int, len(files)), make([]chan struct{}, len(files))
	for i, file := range files {
		text, err := os.ReadFile(filepath.Join(root, folder, file))
		if err != nil {
			return err
		}
		texts[i], done[i] = string(text), make(chan struct{})
		for _, list := range imports.FindAllStringSubmatch(string(text), -1) {
			for _, name := range strings.Fields(list[1]) {
				at := slices.Index(files[:i], name+".v")
				if at < 0 {
					return fmt.Errorf("%s requires %s, which is not before it in the list of files", file, name)
				}
				before[i] = append(before[i], at)
			}
		}
	}
	failed := make([]error, len(files))
	processor := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, file := range files {
		go func() {
			defer close(done[i])
			for _, at := range before[i] {
				<-done[at]
				if failed[at] != nil {
					failed[i] = fmt.Errorf("%s was not checked, because it requires %s", file, files[at])
					return
				}
			}
			processor <- struct{}{}
			failed[i] = do(i, file, texts[i])
			<-processor
		}()
	}
	for _, d := range done {
		<-d
	}
	for _, err := range failed { // the first one has a cause of its own: it comes before the files that require it
		if err != nil {
			return err
		}
	}
	return nil
}

// The function "compile" makes Coq compile all files in the folder dir. It does not check whether a theorem depends on
// axioms.
func compile(root, dir string) error {
	return each(root, func(_ int, file, text string) error {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return err
		}
		if out, err := coqc(dir, file); err != nil {
			return fmt.Errorf("%s: %w\n%s", file, err, out)
		}
		return nil
	})
}

// The function "run" checks all files and returns their theorems. Coq compiles the files in dir, which must be an empty
// folder.
func run(root, dir string) ([]theorem, error) {
	fmt.Println("lines | seconds | axioms | theorem")
	of, took := make([][]theorem, len(files)), make([]string, len(files))
	err := each(root, func(i int, file, text string) (err error) {
		start := time.Now()
		of[i], err = check(dir, file, text)
		took[i] = fmt.Sprintf("%5d | %7.1f |        | %s: the whole file, by the clock", strings.Count(text, "\n"), time.Since(start).Seconds(), file)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []theorem
	for i := range files {
		for _, th := range of[i] {
			fmt.Printf("%5d | %7.1f | none   | %s\n", th.lines, th.seconds, th.name)
		}
		fmt.Println(took[i])
		all = append(all, of[i]...)
	}
	start := time.Now()
	want, err := count(dir)
	if err != nil {
		return nil, err
	}
	got, err := os.ReadFile(filepath.Join(root, counted))
	if err != nil {
		return nil, err
	}
	if string(got) != want {
		return nil, fmt.Errorf("%s is not what Coq computes: go run ./verify/proof/theorems -count", counted)
	}
	fmt.Printf("%d theorems without axioms; %.1f seconds later %s is what Coq computes\n", len(all), time.Since(start).Seconds(), counted)
	return all, nil
}

func main() {
	show := flag.Bool("table", false, "check, and write the table of README.md")
	write := flag.Bool("count", false, "write "+counted+" as Coq computes it, and check no theorem")
	flag.Parse()
	err := func() error {
		dir, err := os.MkdirTemp("", "theorems")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if *write {
			if err := compile(".", dir); err != nil {
				return err
			}
			text, err := count(dir)
			if err != nil {
				return err
			}
			return os.WriteFile(counted, []byte(text), 0o644)
		}
		all, err := run(".", dir)
		if err == nil && *show {
			err = writeTable(".", all)
		}
		return err
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
