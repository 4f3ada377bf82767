// Package verify holds the rest of the module to its word.
package verify
