package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/bloomproof/bloomproof/verify/conform"
)

// record has all results for a filter. The page is written from the records only.
type record struct {
	Name     string  `json:"name"`
	Language string  `json:"language"`
	Version  string  `json:"version"`
	Declared string  `json:"declared"`
	Date     string  `json:"date"`
	Effort   float64 `json:"effort"`

	Report conform.Report  `json:"report"`
	Power  string          `json:"would_have_found,omitempty"` // the power for the statistical laws, in one line
	Rates  []measured      `json:"rates,omitempty"`
	Huge   *conform.Report `json:"huge,omitempty"`

	seconds float64 // the processor time of the examination
}

// load reads the records from a file. The keys of the result are the names of the filters. If the file does not exist,
// there are no records.
func load(path string) (map[string]record, error) {
	records := map[string]record{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return records, nil
	}
	if err != nil {
		return nil, err
	}
	var list []record
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	for _, r := range list {
		records[r.Name] = r
	}
	return records, nil
}

// save writes the records in the order of the implementations.
func save(path string, records map[string]record) error {
	data, err := json.MarshalIndent(inOrder(records), "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// inOrder returns the existing records in the order of the implementations.
func inOrder(records map[string]record) (list []record) {
	for _, e := range implementations() {
		if r, ok := records[e.name]; ok {
			list = append(list, r)
		}
	}
	return list
}

// moduleVersion returns the version of a module in this build.
func moduleVersion(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == module && d.Replace == nil {
			return d.Version
		}
	}
	return "this"
}
