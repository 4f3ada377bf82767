// Package requests reads the requests of a trace:
//
//   - EachLine: the keys of a trace, plain or gzip, one a line; an InputError says why it
//     cannot be read
//   - Keys: numbers for them
package requests
