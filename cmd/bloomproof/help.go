package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

func isHelp(name string) bool {
	switch name {
	case "help", "-h", "-help", "--help":
		return true
	}
	return false
}

// help returns the text of `bloomproof help args`.
func help(args []string) (string, error) {
	switch len(args) {
	case 0:
		return overview(), nil
	case 1:
		if c, ok := find(args[0]); ok {
			return c.usage(), nil
		}
		if isHelp(args[0]) {
			return overview(), nil
		}
		return "", &usageError{"command", fmt.Sprintf("must be one of %s, got %s", names(), quote(args[0]))}
	}
	return "", unexpected(args[1])
}

func overview() string {
	var b strings.Builder
	b.WriteString("bloomproof prints proven numbers about Bloom filters, and runs the real ones on real traces.\n\nUsage: bloomproof COMMAND [flags]\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %s\t%s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "  help [COMMAND]\tthis text, or a command's flags with a worked example\n")
	_ = w.Flush() // to memory
	b.WriteString(`
Sizes and counts are whole numbers up to 2^64-1: 1000000, 2^40, 1e9, 64Ki, 8Mi, 1Gi.
-json prints one JSON object, in which every real number is a decimal string.
Exit status: 0 fine; 1 the command ran and found a failure; 2 bad flags or parameters;
3 input or output failed.

Example: the expected false-positive rate of 64 bits, 10 positions an item, 4 items
  bloomproof fpr -m 64 -k 10 -n 4
`)
	return b.String()
}

// usage returns the text of `bloomproof COMMAND -h`.
func (c command) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "bloomproof %s: %s\n\n%s\n\nFlags:\n", c.name, c.summary, strings.TrimSpace(c.about))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range append(c.flags, jsonFlag) {
		name := "-" + f.name
		if f.arg != "" {
			name += " " + f.arg
		}
		for i, line := range strings.Split(f.doc, "\n") {
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(w, "  %s\t%s\n", name, line)
		}
	}
	if c.operands != "" {
		fmt.Fprintf(w, "  -- %s\twhat it runs\n", c.operands)
	}
	_ = w.Flush() // to memory
	fmt.Fprintf(&b, "\nExample:\n%s\n", strings.Trim(c.example, "\n"))
	return b.String()
}
