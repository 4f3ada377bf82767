/* libbloom behind the protocol of docs/pipe.md: cc -O2 -o libbloom libbloom.c -lbloom */
#include <bloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct bloom filters[1 << 20]; /* by ID, which are given in order */
static char line[1 << 18], key[1 << 17];
static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static int unhex(const char *word) { /* into key; returns its length */
	int n = 0;
	for (; word[0] != '-' && word[2 * n]; n++) key[n] = digit(word[2 * n]) << 4 | digit(word[2 * n + 1]);
	return n;
}

int main(void) {
	int i, bits;
	while (fgets(line, sizeof line, stdin)) {
		char *command = strtok(line, " \n"), *id = strtok(NULL, " \n"), *word = strtok(NULL, " \n");
		struct bloom *f = &filters[id ? atoi(id) : 0];
		if (!strcmp(command, "hello")) {
			printf("ok standard 0 version=2 make bits reset testadd");
		} else if (!strcmp(command, "make")) {
			if (bloom_init(f, atoi(word), atof(strtok(NULL, " \n")))) printf("no");
			else printf("ok %d %d", f->bits, f->hashes);
		} else if (!strcmp(command, "has")) {
			for (; word; word = strtok(NULL, " \n")) putchar('0' + bloom_check(f, key, unhex(word)));
		} else if (!strcmp(command, "bits")) {
			for (i = bits = 0; i < f->bytes; i++) bits += __builtin_popcount(f->bf[i]);
			printf("%d", bits);
		} else if (!strcmp(command, "testadd")) {
			printf("%d", bloom_add(f, key, unhex(word)));
		} else {
			for (; *command == 'a' && word; word = strtok(NULL, " \n")) bloom_add(f, key, unhex(word));
			printf(*command == 'r' && bloom_reset(f) ? "no" : "ok");
			if (*command == 'f') bloom_free(f);
		}
		puts(""), fflush(stdout);
	}
}
