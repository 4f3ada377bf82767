package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/decode"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/object"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/semantics"
	"github.com/bloomproof/bloomproof/verify/proof/machine/internal/silicon"
)

// Each instruction form was tested on a processor. A file names this processor for each form. The constant "record" is
// the path of this file.
const record = "verify/proof/machine/silicon.txt"

// For each instruction form, several instructions are compared with the processor. The constant "instances" is the
// largest number of these instructions. They have different registers. Each is executed from random initial states. The
// constant "states" is the number of these states.
const (
	instances = 3
	states    = 1000
)

// The table of package semantics contains instruction forms. The function "validate" tests all these forms on the
// processor of this computer. It writes the record. Forms that are already in the record keep their rows. If the
// argument "changed" is true, it tests only the other forms.
func validate(root, dir string, changed bool) error {
	f, err := object.Link(root, dir, "amd64")
	if err != nil {
		return err
	}
	found := map[string]map[string]decode.Instruction{}
	add := func(in decode.Instruction) {
		form := in.Form()
		if found[form] == nil {
			found[form] = map[string]decode.Instruction{}
		}
		text, _, _ := strings.Cut(in.Text, "<")
		if in.Name[0] == 'j' { // the destination does not matter
			text = in.Name
		}
		found[form][text] = in
	}
	extra, err := semantics.Extra()
	if err != nil {
		return err
	}
	for _, in := range extra {
		add(in)
	}
	for _, name := range f.Functions() {
		c, err := f.Function(name)
		if err != nil {
			return err
		}
		code, err := decode.Both(f.Of(name).Path, c.Address, len(c.Bytes))
		if err != nil {
			return err
		}
		for _, in := range code {
			add(in)
		}
	}
	path := filepath.Join(root, record)
	var old []silicon.Row
	if text, err := os.ReadFile(path); err == nil {
		if old, err = silicon.Parse(string(text)); err != nil {
			return err
		}
	}
	var rows []silicon.Row
	for _, form := range slices.Sorted(maps.Keys(found)) {
		e, ok := semantics.Lookup(form)
		if !ok && !jump(form) {
			continue
		}
		recorded := slices.DeleteFunc(slices.Clone(old), func(r silicon.Row) bool { return r.In.Form() != form || r.States < states })
		if rows = append(rows, recorded...); !silicon.Runs(e.Feature) || changed && len(recorded) > 0 {
			continue
		}
		texts := slices.Sorted(maps.Keys(found[form]))
		n := min(len(texts), instances)
		for i := range n {
			in := found[form][texts[i*(len(texts)-1)/max(n-1, 1)]]
			if err := silicon.Compare(in, states, uint64(len(rows))); err != nil {
				return fmt.Errorf("%s: %w", form, err)
			}
			if len(recorded) == 0 {
				rows = append(rows, silicon.Row{In: in, States: states, CPU: silicon.CPU()})
			}
		}
	}
	return os.WriteFile(path, []byte(silicon.Format(rows)), 0o644)
}

// The function "jump" reports whether a form is a jump. The table has no jumps. The conditions of jumps are defined by
// the method Condition of semantics.Machine.
func jump(form string) bool { return form[0] == 'j' && strings.HasSuffix(form, " t") }

// Some instruction forms are confirmed by no row of the record. The function "unconfirmed" returns the sorted list of
// these forms. It leaves out the return instruction, which package symbolic handles. At the entry, the stack pointer
// points to the return address.
func unconfirmed(rows []silicon.Row, code []decode.Instruction) []string {
	seen := map[string]bool{"ret": true}
	for _, r := range rows {
		seen[r.In.Form()] = seen[r.In.Form()] || r.States >= states
	}
	var out []string
	for _, in := range code {
		if form := in.Form(); !seen[form] {
			seen[form] = true
			out = append(out, form)
		}
	}
	slices.Sort(out)
	return out
}
