package main

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The variable "served" lists the commands that /api offers. A request is refused if it sets a flag in the list
// servedNot. These flags read or write files, or choose another form of output.
var (
	served    = []string{"fpr", "size", "efficiency", "estimate", "counting", "growing", "occupancy", "recycle", "fnr", "like", "version"}
	servedNot = []string{"trace", "field", "separator", "regexp", "keys", "memory", "report", "csv", "json", "h", "help"}
)

// longestQuery is the largest number of bytes that the parameters of a request may have.
const longestQuery = 4096

var flagName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// argsOf returns the command-line arguments for a request.
func argsOf(name, query string) ([]string, error) {
	if !slices.Contains(served, name) {
		return nil, &usageError{"command", "must be one of " + strings.Join(served, ", ") + ", got " + quote(name)}
	}
	if len(query) > longestQuery {
		return nil, &usageError{"", fmt.Sprintf("the parameters must have at most %d bytes, got %d", longestQuery, len(query))}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &usageError{"", "the parameters must be written as NAME=VALUE&...: " + err.Error()}
	}
	args := []string{name}
	for flag, given := range values {
		switch {
		case !flagName.MatchString(flag):
			return nil, &usageError{"", "the name of a parameter must be that of a flag, got " + quote(flag)}
		case slices.Contains(servedNot, flag):
			return nil, &usageError{flag, "must be left out: it is not served"}
		case len(given) > 1:
			return nil, &usageError{flag, "must be given once"}
		case strings.Contains(given[0], "file:"):
			return nil, &usageError{flag, "must name no file: files are not served"}
		}
		args = append(args, "-"+flag+"="+given[0])
	}
	slices.Sort(args[1:])
	return append(args, "-json"), nil
}

// commandLine returns a line for a terminal. The line runs bloomproof with the arguments args.
func commandLine(args []string) string { return "bloomproof " + strings.Join(args, " ") }
