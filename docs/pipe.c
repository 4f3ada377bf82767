/* A Bloom filter behind the protocol of `bloomproof conform`, see pipe.md: cc -O2 -o pipe docs/pipe.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long u64;
static struct filter { u64 id, m, k; unsigned char *bits; } filters[33]; /* id is ID + 1, or 0 */
static char *next(void) { return strtok(NULL, " \n"); }
static u64 number(void) { return strtoull(next(), NULL, 10); }
static u64 mix(u64 z) { /* SplitMix64 */
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}
static int contains(struct filter *f, const char *key, int add) { /* the key as it is written, in hexadecimal */
	u64 hash = 1, in = 1;
	while (*key) hash = mix(hash * 0x9e3779b97f4a7c15u + (unsigned char)*key++);
	for (u64 j = 1; j <= f->k; j++) {
		u64 p = mix(hash + j * 0x9e3779b97f4a7c15u) % f->m;
		in &= f->bits[p / 8] >> p % 8;
		if (add) f->bits[p / 8] |= 1 << p % 8;
	}
	return in & 1;
}
int main(void) {
	char *line = NULL, *word;
	for (size_t room = 0; getline(&line, &room, stdin) > 0; fflush(stdout)) {
		char *is = strtok(line, " \n");
		if (!strcmp(is, "hello")) { puts("ok standard 0 version=2 new bits"); continue; }
		u64 id = number() + 1, n = 0;
		struct filter *f = filters;
		while (f->id != (strcmp(is, "new") ? id : 0)) f++;
		if (!strcmp(is, "new")) f->id = id, f->m = number(), f->k = number(), f->bits = calloc(f->m / 8 + 1, 1);
		if (!f->bits) f->id = 0, puts("no memory");
		else if (!strcmp(is, "new")) printf("ok %llu %llu\n", f->m, f->k);
		if (!strcmp(is, "add")) while ((word = next())) contains(f, word, 1);
		if (!strcmp(is, "has")) while ((word = next())) putchar('0' + contains(f, word, 0));
		if (!strcmp(is, "bits")) { for (u64 p = 0; p < f->m; p++) n += f->bits[p / 8] >> p % 8 & 1; printf("%llu\n", n); }
		if (!strcmp(is, "free")) free(f->bits), f->id = 0;
		if (strcmp(is, "new") && strcmp(is, "bits")) puts(strcmp(is, "has") ? "ok" : "");
	}
}
