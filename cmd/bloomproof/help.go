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

// The function "help" returns the text of `bloomproof help args`. This text is the help for one command, the help for
// one topic, or the complete manual page.
func help(args []string) (string, error) {
	switch len(args) {
	case 0:
		return overview(), nil
	case 1:
		if c, ok := find(args[0]); ok {
			return c.usage(), nil
		}
		if t, ok := findTopic(args[0]); ok {
			return strings.TrimSpace(t.text) + "\n", nil
		}
		switch {
		case args[0] == "-man" || args[0] == "--man":
			return manual(), nil
		case isHelp(args[0]):
			return overview(), nil
		}
		known := names()
		for _, t := range topics {
			known += ", " + t.name
		}
		return "", &usageError{"command", unknown(known, args[0])}
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
	fmt.Fprint(w, "  help [COMMAND]\tthis text, or a command's flags with a worked example\n"+
		"  help TOPIC\tone of the topics below\n  help -man\tall of it as a manual page\n\nTopics:\n")
	for _, t := range topics {
		fmt.Fprintf(w, "  %s\t%s\n", t.name, t.summary)
	}
	_ = w.Flush() // writes to memory cannot fail
	b.WriteString(`
Example: the expected false-positive rate of 64 bits, 10 positions an item, 4 items
  bloomproof fpr -m 64 -k 10 -n 4
`)
	return b.String()
}

// The method "usage" returns the text of `bloomproof COMMAND -h`.
func (c command) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "bloomproof %s: %s\n\n%s\n\nFlags:\n", c.name, c.summary, strings.TrimSpace(c.about))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range c.allFlags() {
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
	if len(c.words) > 0 {
		fmt.Fprintf(w, "  %s\twhich one\n", strings.Join(c.words, "|"))
	}
	if c.operands != "" {
		fmt.Fprintf(w, "  -- %s\twhat it runs\n", c.operands)
	}
	_ = w.Flush() // writes to memory cannot fail
	fmt.Fprintf(&b, "\nExample:\n%s\n", strings.Trim(c.example, "\n"))
	return b.String()
}
