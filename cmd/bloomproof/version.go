package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// The constant "version" is the version of the program, as in CITATION.cff and CHANGELOG.md.
const version = "0.3.0-dev"

var versionCommand = command{
	name:    "version",
	summary: "version, commit and build of this program, and the kernels that it chose",
	about: `
Prints the version; where the program is from: the version of the module and the commit,
as far as the build recorded them; the Go that built it, for which system, processor and
level of its instructions; and the implementations of the bit kernels that run here
(bloomproof cpu tells which runs what).`,
	example: `
  $ bloomproof version
  bloomproof  ...`,
	run: func(*call) (report, error) {
		info, ok := debug.ReadBuildInfo()
		if !ok {
			info = &debug.BuildInfo{GoVersion: runtime.Version()}
		}
		return versionOf(info, thisHost()), nil
	},
}

// versionReport is the result of the command "version". A field that the build did not record is "".
type versionReport struct {
	Version  string   `json:"version"`
	Module   string   `json:"module_version"` // the module version that go install recorded
	Revision string   `json:"revision"`
	Time     string   `json:"time"` // the time of the commit
	Modified *bool    `json:"modified"`
	Go       string   `json:"go"`
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	Level    string   `json:"level"` // the architecture level, such as GOAMD64=v1
	Tags     string   `json:"tags"`
	Cgo      bool     `json:"cgo"`
	Kernels  []string `json:"kernels"`
}

func versionOf(info *debug.BuildInfo, host cpuReport) versionReport {
	r := versionReport{
		Version: version, Module: info.Main.Version, Go: info.GoVersion, OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernels: slices.Compact(slices.Sorted(maps.Values(host.Kernels))),
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Revision = s.Value
		case "vcs.time":
			r.Time = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			r.Modified = &modified
		case "-tags":
			r.Tags = s.Value
		case "CGO_ENABLED":
			r.Cgo = s.Value == "1"
		case "GO" + strings.ToUpper(runtime.GOARCH):
			r.Level = s.Key + "=" + s.Value
		}
	}
	return r
}

func (r versionReport) print(w io.Writer) {
	or := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	revision := or(r.Revision)
	if r.Time != "" {
		revision += " of " + r.Time
	}
	if r.Modified != nil && *r.Modified {
		revision += ", with changes"
	}
	fmt.Fprintf(w, "bloomproof\t%s\nmodule\t%s\nrevision\t%s\n", r.Version, or(r.Module), revision)
	fmt.Fprintf(w, "built by\t%s for %s/%s", r.Go, r.OS, r.Arch)
	for _, s := range []string{r.Level, strings.ReplaceAll(r.Tags, ",", " ")} {
		if s != "" {
			fmt.Fprintf(w, " %s", s)
		}
	}
	fmt.Fprintf(w, "\nkernels\t%s\n", strings.Join(r.Kernels, " "))
}
