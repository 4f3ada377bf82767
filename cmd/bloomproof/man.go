//go:build !js

package main

import (
	"fmt"
	"strings"
)

// The function "manual" returns all help as a manual page of section 1, in the macros of man(7).
func manual() string {
	var b strings.Builder
	text := func(s string) {
		b.WriteString(".nf\n")
		for line := range strings.Lines(strings.Trim(s, "\n") + "\n") {
			b.WriteString(roff(line))
		}
		b.WriteString(".fi\n")
	}
	fmt.Fprintf(&b, ".TH BLOOMPROOF 1 \"\" \"Bloomproof %s\" \"User Commands\"\n", version)
	b.WriteString(".SH NAME\nbloomproof \\- proven numbers about Bloom filters\n")
	b.WriteString(".SH SYNOPSIS\n.B bloomproof\n.I COMMAND\n[flags]\n.SH DESCRIPTION\n")
	text(overview())
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, ".SS %s\n", c.name)
		text(c.usage())
	}
	b.WriteString(".SH TOPICS\n")
	for _, t := range topics {
		fmt.Fprintf(&b, ".SS %s: %s\n", t.name, t.summary)
		text(t.text)
	}
	return b.String()
}

// The function "roff" escapes a line so that the program roff prints it as text.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
