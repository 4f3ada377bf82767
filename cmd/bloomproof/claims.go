//go:build !js

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/verify/claims"
)

var claimsCommand = command{
	name:    "claims",
	summary: "every equation, theorem, bound and conjecture of the papers, with its verdict",
	about: `
Lists what the papers say and whether it is so: confirmed (as far as was searched),
conditional (on a part of its domain), refuted and misprint (each with a counterexample
and what holds instead), open (with the largest range without a counterexample).

-run checks the verdicts again, quickly or in full, and exits with status 1 when one of
them is wrong. -shard I/N takes the I-th of N parts of the cases, so that N machines
share a sweep; their outputs, put one after the other, are the result of the whole: it
stands when no line says fail.

A claim that Coq checks for all parameters has its theorem's name and file under theorem
(of the correction, for a refuted one and a misprint).

-id also takes the beginning of ids: burns.thm15 is all of Theorem 15. With -id and
without -run every field of a claim is printed.`,
	example: `
  $ bloomproof claims -id burns.eq6
  id              burns.eq6
  place           Section 2.1, (6)
  verdict         misprint
  ...`,
	flags: []flagSpec{
		{"paper", "PAPER", "burns, fan, dozier-fp or dozier-fn (default: all)"},
		{"id", "ID", "one claim, or those below it"},
		{"run", "", "check the verdicts again"},
		{"effort", "quick|full", "with -run: seconds (quick, the default), or all that a claim's last line says (full)"},
		{"shard", "I/N", "with -run: the I-th of N parts of the cases (default 1/1)"},
	},
	run: listClaims,
}

type claimsReport struct {
	Effort string     `json:"effort,omitempty"` // the effort of a run
	Shard  string     `json:"shard,omitempty"`
	Failed *int       `json:"failed,omitempty"`
	Claims []claimRow `json:"claims"`

	whole bool // print every field
}

type claimRow struct {
	ID             string         `json:"id"`
	Paper          string         `json:"paper"`
	Ref            string         `json:"ref"`
	Statement      string         `json:"statement"`
	Verdict        claims.Verdict `json:"verdict"`
	Domain         string         `json:"domain"`
	Counterexample string         `json:"counterexample"`
	Repair         string         `json:"repair"`
	Argument       []string       `json:"argument"`
	Checked        string         `json:"checked"`
	Theorem        string         `json:"theorem"`          // empty if there is no theorem
	Result         string         `json:"result,omitempty"` // the result of a run: pass or fail
	Cases          *int64         `json:"cases,omitempty"`
	Error          string         `json:"error,omitempty"`
}

// The variable "papers" lists the papers whose claims the program knows.
var papers = []string{"burns", "fan", "dozier-fp", "dozier-fn"}

// oneOf is the value of a flag that takes one of several names.
type oneOf struct {
	flag string
	name string
	of   []string
}

// UnmarshalText sets the name. If it returns a ParamError, the name is unchanged.
func (o *oneOf) UnmarshalText(text []byte) error {
	if !slices.Contains(o.of, string(text)) {
		return &bloomproof.ParamError{Param: o.flag, Value: string(text), Want: "one of " + strings.Join(o.of, ", ")}
	}
	o.name = string(text)
	return nil
}

// The cases are divided into N parts, numbered from 1. A value of the type "shard" selects part I.
type shard [2]int

// String returns I/N.
func (s shard) String() string { return fmt.Sprintf("%d/%d", s[0], s[1]) }

// UnmarshalText reads I/N. If it returns a ParamError, s is unchanged.
func (s *shard) UnmarshalText(text []byte) error {
	var read shard
	c, _ := fmt.Sscanf(string(text), "%d/%d", &read[0], &read[1])
	if c != 2 || read[0] < 1 || read[0] > read[1] || read.String() != string(text) {
		return &bloomproof.ParamError{Param: "shard", Value: string(text), Want: "I/N with 1 <= I <= N, such as 3/16"}
	}
	*s = read
	return nil
}

func listClaims(c *call) (report, error) {
	paper, effort, part := oneOf{"paper", "", papers}, oneOf{"effort", "quick", []string{"quick", "full"}}, shard{1, 1}
	c.enum("paper", &paper)
	c.enum("effort", &effort)
	c.enum("shard", &part)
	run := c.boolean("run", false)
	for _, name := range []string{"effort", "shard"} {
		if c.has(name) && !run {
			c.fail(&usageError{name, "needs -run"})
		}
	}
	id := c.text("id")
	chosen := chooseClaims(c, paper.name, id)
	if len(chosen) == 0 {
		c.fail(&usageError{"id", "must be a claim or the beginning of ids (see bloomproof claims), got " + quote(id)})
	}
	if c.err != nil {
		return nil, c.err
	}
	r := claimsReport{whole: c.has("id")}
	for _, claim := range chosen {
		r.Claims = append(r.Claims, rowOf(claim))
	}
	if !run {
		return r, nil
	}
	r.Effort, r.Shard, r.Failed = effort.name, part.String(), new(int)
	p, checked := newProgress(c.stderr), 0
	results, err := claims.Check(c.ctx, chosen, claims.Options{Full: effort.name == "full", Shard: part}, func(claims.Result) {
		checked++
		p.show("%d of %d claims checked", checked, len(chosen))
	})
	p.done()
	if err != nil {
		return nil, &usageError{"run", err.Error()}
	}
	if err := c.ctx.Err(); err != nil {
		return nil, &ioError{"", fmt.Errorf("interrupted after %d claims", checked)}
	}
	return r, r.take(results)
}

// The method "take" adds each result of a run to the row of its claim in the report. It returns errFailed if a
// result is a failure.
func (r claimsReport) take(results []claims.Result) error {
	for i, res := range results {
		row := &r.Claims[i]
		row.Result, row.Cases = "pass", &res.Cases
		if res.Err != nil {
			row.Result, row.Error = "fail", res.Err.Error()
			*r.Failed++
		}
	}
	if *r.Failed > 0 {
		return errFailed
	}
	return nil
}

// chooseClaims returns the claims that the flags -paper and -id choose. The flag -paper chooses the claims of a paper.
// The flag -id chooses the claim with the given id. It also chooses every claim whose id begins with the given id and a
// dot. Without -paper, all papers are included. Without -id, all ids are included.
func chooseClaims(c *call, paper, id string) []claims.Claim {
	var chosen []claims.Claim
	for _, claim := range claims.All() {
		below := claim.ID == id || strings.HasPrefix(claim.ID, id+".")
		if (!c.has("paper") || claim.Paper == paper) && (!c.has("id") || below) {
			chosen = append(chosen, claim)
		}
	}
	return chosen
}

func rowOf(c claims.Claim) claimRow {
	row := claimRow{
		ID: c.ID, Paper: c.Paper, Ref: c.Ref, Statement: c.Statement, Verdict: c.Verdict, Domain: c.Domain,
		Counterexample: c.Counterexample, Repair: c.Repair, Argument: []string{}, Checked: c.Checked, Theorem: c.Theorem,
	}
	if c.Argument[0] != "" {
		row.Argument = c.Argument[:]
	}
	return row
}

func (r claimsReport) print(w io.Writer) {
	for i, c := range r.Claims {
		switch {
		case r.whole && r.Failed == nil:
			if i > 0 {
				fmt.Fprintln(w)
			}
			c.print(w)
		case r.Failed == nil:
			fmt.Fprintf(w, "%s\t%v\t%s\n", c.ID, c.Verdict, c.Ref)
		default:
			fmt.Fprintf(w, "%s\t%v\t%s\tshard %s %v\t%d cases\t%s\n", c.ID, c.Verdict, c.Result, r.Shard, r.Effort, *c.Cases, c.Error)
		}
	}
}

func (c claimRow) print(w io.Writer) {
	rows := [][2]string{
		{"id", c.ID}, {"place", c.Ref}, {"verdict", string(c.Verdict)}, {"statement", c.Statement}, {"domain", c.Domain},
		{"counterexample", c.Counterexample}, {"right", c.Repair}, {"by hand", strings.Join(c.Argument, "\n")}, {"checked", c.Checked},
		{"theorem", c.Theorem},
	}
	for _, row := range rows {
		if row[1] == "" {
			continue
		}
		name := row[0]
		for _, line := range strings.Split(row[1], "\n") {
			fmt.Fprintf(w, "%s\t%s\n", name, line)
			name = ""
		}
	}
}
