package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// lawWords has the texts of the page about each law: what the law requires, and a short description of a violation. The
// laws are ordered by their importance for a user of the filter.
var lawWords = []struct {
	law        conform.Law
	asks, seen string
}{
	{"no false negative", "a key that was added is contained", "a key that was added is not contained"},
	{"concurrent adds", "no key is lost when many goroutines add at once", "keys are lost when many goroutines add at once"},
	{"concurrent reads", "look-ups by many goroutines at once are right", "look-ups by many goroutines at once go wrong"},
	{"union", "a union contains what the filter of all the keys contains", "a union is not the filter of all the keys"},
	{"intersection", "an intersection contains what both filters contain", "an intersection is not what both contain"},
	{"reset", "after a reset the filter is as new", "after a reset the filter is not as new"},
	{"test and set", "testing and adding in one step is the same as in two", "testing and adding in one step is not the same as in two"},
	{"batch", "a batch is the same as single calls in turn", "a batch is not the same as single calls"},
	{"snapshot", "a snapshot comes back as the same filter, and one state has one encoding", "a snapshot does not come back as the same filter, or one state has two encodings"},
	{"rate", "new keys are contained as often as the exact model of the declared hashing says", "another rate of false positives than its bits and positions give"},
	{"keys", "that also holds for keys that are alike: sequential, with long common parts, of all lengths", "another rate of false positives for keys that are alike"},
	{"stated rate", "the rate that the filter states is the exact one within 5 %", "the rate that it states is not the exact one"},
	{"sizing", "the size that it advises keeps the rate that was asked for, without waste", "the size that it advises misses the rate that was asked for, or wastes bits"},
	{"items", "the estimate of the number of items is right within 5 %", "the estimate of the number of items is off"},
	{"dependence", "the positions of a key are independent of one another", "the positions of a key depend on one another"},
	{"set bits", "as many bits are set as the model says", "another number of set bits than the model gives"},
	{"place", "every bit is set as often as any other", "some bits are set more often than others"},
	{"hostile snapshot", "a forged snapshot neither panics, nor hangs, nor allocates more than 64 times its size", "a forged snapshot panics, hangs, allocates much or changes the filter"},
	{"corrupt snapshot", "a snapshot that was cut, lengthened or changed is refused", "a damaged snapshot is read without an error"},
}

// order returns the index of a law in lawWords.
func order(l conform.Law) int {
	for i, w := range lawWords {
		if w.law == l {
			return i
		}
	}
	return len(lawWords)
}

// byWeight returns the findings of a report, the most important first.
func byWeight(r conform.Report) []conform.Finding {
	return slices.SortedStableFunc(slices.Values(r.Findings), func(a, b conform.Finding) int { return cmp.Compare(order(a.Law), order(b.Law)) })
}

const opening = `# Bloom filters of the world, examined

%d filters of Go libraries and %d of other languages were examined by the laws of package
` + "`verify/conform`" + `, through the adaptors in ` + "`bench/conformance`" + `. This page says what was examined as what, what
was found, and how large it is.

How to read it:

- A law that is not kept is a difference between a filter and what the law asks. It need not be a fault.
  Many formats have no checksum by choice. Double hashing is a known approximation, which is good where
  there are many bits. A stated rate or an advised size may be meant for large filters only.
- Each finding is the smallest case in which it was seen. One in a filter of 10 bits says little about a filter
  of a million; the table of measured rates does.
- A filter is examined as what its documentation says that it is. Where it says nothing, it is taken to have
  independent positions ("standard").
- A filter that keeps the laws is accused with probability at most %g. Found differences are real; that
  nothing was found does not say that there is nothing.
- A law counts as examined only where the filter offers what the law is about.

Made by ` + "`make conformance`" + `, last on %s, with seed %d. One filter: ` + "`cd bench && go run ./conformance -only libbloom`" + `.
For a filter in another language the library has to be installed; the command says which package is missing.
Those are examined with a third of the work, or less, since each key goes through a pipe ([pipe.md](pipe.md)).

`

// page returns the text of the page that shows the records.
func page(records map[string]record) string {
	var w strings.Builder
	list := inOrder(records)
	last, others := "", 0
	for _, r := range list {
		last = max(last, r.Date)
		if r.Language != "Go" {
			others++
		}
	}
	first := list[0].Report
	fmt.Fprintf(&w, opening, len(list)-others, others, first.FalseAlarm, last, first.Seed)
	writeSummary(&w, list)
	writeUses(&w, list)
	writeLaws(&w, list)
	writeRates(&w, list)
	writeHuge(&w, list)
	fmt.Fprint(&w, "## Findings\n\nFor each law that is not kept the smallest case in which that was seen, with the shortest program that\nshows it where there is one.\n\n")
	for _, r := range list {
		if len(r.Report.Findings) > 0 {
			writeFilter(&w, r)
		}
	}
	writePower(&w, list)
	fmt.Fprint(&w, leftOut)
	return w.String()
}

func writeSummary(w io.Writer, list []record) {
	fmt.Fprint(w, "| filter | language | version | laws kept | what was found first |\n| --- | --- | --- | ---: | --- |\n")
	for _, r := range list {
		found := ""
		if all := byWeight(r.Report); len(all) > 0 {
			found = lawWords[order(all[0].Law)].seen
			if strings.HasPrefix(all[0].Text, processEnded) {
				found = "the process ends: " + string(all[0].Law)
			}
			if _, shape, ok := strings.Cut(all[0].Case, "m="); ok {
				shape, _, _ = strings.Cut(shape, ",")
				found += ", at m=" + shape
			}
			if len(all) > 1 {
				found += fmt.Sprintf("; %d more", len(all)-1)
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %d of %d | %s |\n", r.Name, r.Language, r.Version, len(r.Report.Kept), len(r.Report.Kept)+len(r.Report.Findings), found)
	}
	fmt.Fprint(w, "\n\"First\" is by weight for a user: lost keys come before wrong rates, and these before snapshots without a\nchecksum.\n\n")
}

func writeUses(w io.Writer, list []record) {
	fmt.Fprint(w, "## Examined as\n\n| filter | used as, and taken to declare | on |\n| --- | --- | --- |\n")
	for _, r := range list {
		fmt.Fprintf(w, "| %s | %s | %s |\n", r.Name, r.Declared, r.Date)
	}
	fmt.Fprintln(w)
}

func writeLaws(w io.Writer, list []record) {
	fmt.Fprint(w, "## Laws\n\n| law | what it asks | kept | not kept by |\n| --- | --- | ---: | --- |\n")
	for _, l := range lawWords {
		kept := 0
		var broken []string
		for _, r := range list {
			if slices.Contains(r.Report.Kept, l.law) {
				kept++
			}
			if slices.ContainsFunc(r.Report.Findings, func(f conform.Finding) bool { return f.Law == l.law }) {
				broken = append(broken, r.Name)
			}
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %s |\n", l.law, l.asks, kept, kept+len(broken), strings.Join(broken, ", "))
	}
	fmt.Fprintln(w)
}

func writeRates(w io.Writer, list []record) {
	fmt.Fprintf(w, "## Measured rates\n\nEach filter at its own design points: sized by its own library where that does so, and else at the best size;\n"+
		"filled with as many random keys as it was sized for. A cell has the measured rate, and that over the exact\n"+
		"rate of its bits and positions, with the standard error, from %d filters. A dash: the library makes no such filter, or too\n"+
		"few look-ups were made to say anything.\n\n| filter |", pointFilters)
	for _, p := range points {
		fmt.Fprintf(w, " %g %% of %d |", 100*p.Asked, p.N)
	}
	fmt.Fprint(w, "\n| --- |"+strings.Repeat(" --- |", len(points))+"\n")
	for _, r := range list {
		if len(r.Rates) == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s |", r.Name)
		for _, p := range points {
			i := slices.IndexFunc(r.Rates, func(x measured) bool { return x.N == p.N && x.Asked == p.Asked })
			if i < 0 {
				fmt.Fprint(w, " - |")
				continue
			}
			x := r.Rates[i]
			fmt.Fprintf(w, " %.3g %%; %.3f ± %.3f |", 100*x.Mean, x.Mean/x.Exact, x.Deviation/x.Exact)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// hugeLaws are the laws that are examined in filters with more than 2^32 bits.
var hugeLaws = []conform.Law{"no false negative", "rate", "set bits", "place"}

func writeHuge(w io.Writer, list []record) {
	fmt.Fprint(w, "## Above 2^32 bits\n\nA filter of 2^33 bits and one position an item, with half a million keys, and two million others looked up:\n"+
		"positions or sizes that are cut to 32 bits would double its rate.\n\n| filter | kept | not kept |\n| --- | --- | --- |\n")
	for _, r := range list {
		if r.Huge == nil {
			continue
		}
		kept := make([]string, len(r.Huge.Kept))
		for i, l := range r.Huge.Kept {
			kept[i] = string(l)
		}
		var found []string
		for _, f := range r.Huge.Findings {
			found = append(found, f.String())
		}
		if len(kept)+len(found) == 0 {
			found = r.Huge.Notes
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", r.Name, strings.Join(kept, ", "), strings.Join(found, "; "))
	}
	fmt.Fprintln(w)
}

// writeFilter writes the results for one filter.
func writeFilter(w io.Writer, r record) {
	fmt.Fprintf(w, "### %s\n\n%s %s: %s.\n\n", r.Name, r.Language, r.Version, r.Declared)
	for _, f := range byWeight(r.Report) {
		where := f.Text
		if f.Case != "" {
			where = f.Case + ": " + f.Text
		}
		fmt.Fprintf(w, "- **%s**: %s\n", f.Law, where)
		if f.Program != "" {
			language := "go"
			if r.Language != "Go" {
				language = "text"
			}
			fmt.Fprintf(w, "\n  ```%s\n  %s\n  ```\n\n", language, strings.ReplaceAll(strings.TrimSpace(f.Program), "\n", "\n  "))
		}
	}
	fmt.Fprintln(w)
}

// writePower writes how large a fault must be to be found.
func writePower(w io.Writer, list []record) {
	if !slices.ContainsFunc(list, func(r record) bool { return r.Power != "" }) {
		return
	}
	fmt.Fprint(w, "## What would have been found\n\nOf the laws of chance: the least faults that these examinations would have found with probability 0.99, at\n"+
		"the best and at the worst of their shapes.\n\n| filter | would have been found |\n| --- | --- |\n")
	for _, r := range list {
		if r.Power != "" {
			fmt.Fprintf(w, "| %s | %s |\n", r.Name, r.Power)
		}
	}
	fmt.Fprintln(w)
}

// leftOut is the last section of the page, about the libraries that are not examined.
const leftOut = `## Left out

- Pebble's and Badger's filters have LevelDB's format, as goleveldb's has, which is examined. Pebble's package
  would add a dozen modules to ` + "`bench/go.mod`" + `.
- go-ethereum's ` + "`types.Bloom`" + ` has 2048 bits and 3 positions by protocol, so there is little to examine; its
  state bloom is holiman's.
- VictoriaMetrics' and AvalancheGo's filters are packages of large programs, which nobody else imports.
- go-zero's and RedisBloom's filters live in a Redis server with a module that Debian does not have.
- Boost.Bloom needs Boost 1.89, and Debian 12 has 1.74.
- Adaptors are welcome: 10 to 40 lines each, in ` + "`bench/conformance`" + `.
`
