// Package requests reads the requests of a trace:
//
//   - EachLine: the keys of a trace, plain or gzip, one per line; an InputError says why the trace cannot be read
//   - Cut: only the keys of a trace whose lines hold more; Field or Group finds the key of a line
//   - Keys: numbers for the keys; NewHasher: the secret hash function that tells keys apart
package requests
