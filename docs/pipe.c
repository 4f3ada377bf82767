/* A Bloom filter of one's own behind the protocol of `bloomproof conform`: see pipe.md.
 * cc -O2 -o pipe docs/pipe.c && bloomproof conform -- ./pipe */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 18, FILTERS = 64 }; /* at most 32 are alive at a time */

struct filter { uint64_t m, id; int k; unsigned char *bits; };

static struct filter filters[FILTERS];

static struct filter *find(uint64_t id) {
	for (int i = 0; i < FILTERS; i++)
		if (filters[i].bits && filters[i].id == id) return &filters[i];
	fprintf(stderr, "no filter %llu\n", (unsigned long long)id);
	exit(1);
}

static uint64_t mix(uint64_t z) { /* SplitMix64 */
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* The j-th position is the remainder of the j-th word of a stream that the key seeds. */
static uint64_t position(const struct filter *f, uint64_t hash, int j) {
	return mix(hash + (uint64_t)(j + 1) * 0x9e3779b97f4a7c15u) % f->m;
}

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* Two digits a byte, or - for the empty key. Every byte is mixed in with its place. */
static uint64_t hash(const char *word) {
	uint64_t h = 0x243f6a8885a308d3u;
	if (*word == '-') return mix(h);
	for (; *word; word += 2)
		h = mix(h + 0x9e3779b97f4a7c15u) ^ (uint64_t)(digit(word[0]) << 4 | digit(word[1]));
	return mix(h + 1);
}

int main(void) {
	static char line[LINE], answer[LINE];
	while (fgets(line, sizeof line, stdin)) {
		char *command = strtok(line, " \n");
		strcpy(answer, "ok");
		if (!strcmp(command, "hello")) {
			strcpy(answer, "ok standard 0 bits");
		} else if (!strcmp(command, "new")) {
			uint64_t id = strtoull(strtok(NULL, " \n"), NULL, 10);
			uint64_t m = strtoull(strtok(NULL, " \n"), NULL, 10);
			int k = atoi(strtok(NULL, " \n")), i = 0;
			while (i < FILTERS - 1 && filters[i].bits) i++;
			filters[i] = (struct filter){m, id, k, calloc(m / 8 + 1, 1)};
			if (filters[i].bits) sprintf(answer, "ok %llu %d", (unsigned long long)m, k);
			else strcpy(answer, "no memory");
		} else {
			struct filter *f = find(strtoull(strtok(NULL, " \n"), NULL, 10));
			char *word, *end = answer;
			if (!strcmp(command, "add")) {
				while ((word = strtok(NULL, " \n"))) {
					uint64_t h = hash(word);
					for (int j = 0; j < f->k; j++) {
						uint64_t p = position(f, h, j);
						f->bits[p >> 3] |= 1 << (p & 7);
					}
				}
			} else if (!strcmp(command, "has")) {
				while ((word = strtok(NULL, " \n"))) {
					uint64_t h = hash(word);
					int j = 0, in = 1;
					for (; j < f->k && in; j++) {
						uint64_t p = position(f, h, j);
						in = f->bits[p >> 3] >> (p & 7) & 1;
					}
					*end++ = '0' + in;
				}
				*end = 0;
			} else if (!strcmp(command, "bits")) {
				uint64_t n = 0;
				for (uint64_t p = 0; p < f->m; p++) n += f->bits[p >> 3] >> (p & 7) & 1;
				sprintf(answer, "%llu", (unsigned long long)n);
			} else if (!strcmp(command, "free")) {
				free(f->bits);
				f->bits = NULL;
			}
		}
		puts(answer);
		fflush(stdout);
	}
	return 0;
}
