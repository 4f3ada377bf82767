package main

import (
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
)

// The function "page" returns docs/assurance.md, from the files of the module.
func page(module fs.FS) (string, error) {
	sections, err := overview(module)
	if err != nil {
		return "", err
	}
	added, err := figures(module)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# What is known, and how\n\nMade by `make assurance` from the overview of package `verify` (`go doc ./verify`) and from recorded\nruns; do not edit.\n")
	for _, s := range sections {
		if s.title != sections[0].title {
			fmt.Fprintf(&b, "\n## %s\n", s.title)
		}
		b.WriteString("\n" + s.text)
		for _, f := range added[s.title] {
			b.WriteString(f)
		}
		delete(added, s.title)
	}
	for title := range added {
		return "", fmt.Errorf("verify/doc.go has no section %q, to which figures belong", title)
	}
	return b.String(), nil
}

// The type "section" holds the title and the text of a section of the overview.
type section struct{ title, text string }

// The function "overview" returns the sections of the overview of package verify. The first section has the title of
// the page.
func overview(module fs.FS) ([]section, error) {
	source, err := fs.ReadFile(module, "verify/doc.go")
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	var out []section
	for _, block := range new(comment.Parser).Parse(f.Doc.Text()).Content {
		if h, ok := block.(*comment.Heading); ok {
			out = append(out, section{title: plain(h.Text)})
			continue
		}
		if len(out) == 0 {
			continue // the part about the contents of the package
		}
		s := &out[len(out)-1]
		if s.text != "" {
			s.text += "\n"
		}
		if p, ok := block.(*comment.Paragraph); ok {
			block = byKind(p)
		}
		var printer comment.Printer
		text := string(printer.Markdown(&comment.Doc{Content: []comment.Block{block}}))
		s.text += wrapped(point.ReplaceAllString(text, "- *$1:*"))
	}
	if len(out) == 0 || out[0].title != "What is known, and how" {
		return nil, fmt.Errorf("verify/doc.go begins with %v", out)
	}
	return out, nil
}

func plain(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		if s, ok := t.(comment.Plain); ok {
			b.WriteString(string(s))
		}
	}
	return b.String()
}

// Some lines begin with a label, such as "Tested:" or "Assumed:". The regular expression "kind" matches these labels.
var kind = regexp.MustCompile(`(?m)^(Proved|Enumerated|Tested|Assumed|Wrong if):`)

// Some list items begin with such a label. The regular expression "point" matches a label at the beginning of a list
// item.
var point = regexp.MustCompile(`(?m)^ *- (Proved|Enumerated|Tested|Assumed|Wrong if):`)

// The function byKind turns a paragraph into a list if its lines begin with labels (see the variable "kind").
func byKind(p *comment.Paragraph) comment.Block {
	text := plain(p.Text)
	at := kind.FindAllStringIndex(text, -1)
	if len(at) == 0 || at[0][0] > 0 {
		return p
	}
	list := &comment.List{}
	for i, a := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		item := &comment.Paragraph{Text: []comment.Text{comment.Plain(strings.TrimRight(text[a[0]:end], "\n"))}}
		list.Items = append(list.Items, &comment.ListItem{Content: []comment.Block{item}})
	}
	return list
}

// The constant "width" is the largest length of a line of the page, in bytes.
const width = 100

// The function "wrapped" breaks the lines of Markdown. In a list item it indents all lines after the first.
func wrapped(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		indent := ""
		if strings.HasPrefix(line, "- ") {
			indent = "  "
		}
		used := 0
		for i, word := range strings.Fields(line) {
			switch {
			case i > 0 && used+1+len(word) > width:
				b.WriteString("\n" + indent)
				used = len(indent)
			case i > 0:
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += len(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
