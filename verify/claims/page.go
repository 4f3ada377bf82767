package claims

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

//go:generate go test . -run TestPage -update

// pageOrder is the order of the verdicts on the page. It begins with what a reader of the papers most needs to know.
var pageOrder = []struct {
	verdict Verdict
	title   string
}{
	{Refuted, "Refuted"},
	{Misprint, "Misprints"},
	{Conditional, "True under a condition"},
	{Open, "Open"},
	{Confirmed, "Confirmed"},
}

// writePage writes docs/claims.md, which presents the registry to readers of the papers.
func writePage(out io.Writer, all []Claim) error {
	w := bufio.NewWriter(out)
	count, proved := map[Verdict]int{}, map[Verdict]int{}
	for _, c := range all {
		count[c.Verdict]++
		if c.Theorem != "" {
			proved[c.Verdict]++
		}
	}
	fmt.Fprint(w, `# What the papers claim, and what is so

Made from the registry in verify/claims (`+"`go generate ./verify/claims`"+`); do not edit.
Each entry is an executable check: `+"`bloomproof claims -run`"+` runs them all,
`+"`bloomproof claims -run -id ID -effort full`"+` one of them as far as its last line says.

Notation: m bits (urns), k positions per item, n items, X the number of set bits (occupied
urns); ff(x,r) = x(x-1)...(x-r+1), C binomial coefficients, S(n,i) Stirling numbers of the
second kind, nabla^r and Delta^r backward and forward differences, 0^0 = 1; f_S and f_C the
expected rates of the standard (k independent positions) and the classic filter (k distinct
positions). Recycling filters clear themselves when more than sigma bits are set, or at the
N-th bit-setting message; b set bits, pi their long-run law, f the rate over new arrivals,
E[N_0] the new arrivals of a cycle, the one that recycles included. Counterexamples are the smallest in the order of the parameters as listed,
unless they say otherwise.

The last column counts the claims that are theorems, or whose correction or condition is one: Coq checks
them, from definitions and for all parameters (`+"`make theorems`"+`). The others rest on what "checked" says.

| verdict | claims | theorems |
| --- | --- | --- |
`)
	for _, o := range pageOrder {
		fmt.Fprintf(w, "| %v | %d | %d |\n", o.verdict, count[o.verdict], proved[o.verdict])
	}
	for _, o := range pageOrder {
		if count[o.verdict] == 0 {
			continue
		}
		fmt.Fprintf(w, "\n## %s\n", o.title)
		for _, c := range all {
			if c.Verdict == o.verdict {
				c.write(w)
			}
		}
	}
	return w.Flush()
}

// write writes one entry. In markdown, two spaces at the end of a line break the line there.
func (c Claim) write(w io.Writer) {
	fmt.Fprintf(w, "\n### %s\n%s.\n\n", c.ID, strings.TrimSuffix(c.Ref, "."))
	fmt.Fprintf(w, "    %s\n\n", c.Statement)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "- %s: %s\n", name, text)
		}
	}
	row("domain", c.Domain)
	row("counterexample", c.Counterexample)
	row("right", c.Repair)
	if c.Argument[0] != "" {
		row("by hand", c.Argument[0]+"  \n  "+c.Argument[1])
	}
	row("checked", c.Checked)
	row("theorem", c.Theorem)
}
