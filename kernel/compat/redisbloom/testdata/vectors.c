// Prints, a line each, filters of RedisBloom's own code: their parameters, what BF.ADD answers for n keys, what
// BF.EXISTS answers for the next 60, and the chunks of BF.SCANDUMP, of 1000 bytes at most.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sb.h"

void (*RedisModule_Free)(void *) = free;
void *(*RedisModule_Calloc)(size_t, size_t) = calloc;
void *(*RedisModule_TryCalloc)(size_t, size_t) = calloc;
void *(*RedisModule_Realloc)(void *, size_t) = realloc;

static size_t key(char *dst, int i) { return sprintf(dst, "%d%0*d", i, i % 20 + 1, 0); }

static void hex(long long iter, const char *data, size_t len) {
  printf(" %lld:", iter);
  for (size_t i = 0; i < len; i++) printf("%02x", (unsigned char)data[i]);
}

static void line(unsigned long long capacity, double rate, unsigned expansion, int n) {
  int err;
  unsigned options = BLOOM_OPT_FORCE64 | BLOOM_OPT_NOROUND | (expansion ? 0 : BLOOM_OPT_NO_SCALING);
  SBChain *c = SB_NewChain(capacity, rate, options, expansion, &err);
  char k[64];
  printf("%llu %g %u %d ", capacity, rate, expansion, n);
  for (int i = 0; i < n; i++) {
    int rv = SBChain_Add(c, k, key(k, i));
    printf("%c", rv < 0 ? 'x' : '0' + rv);
  }
  printf(" ");
  for (int i = n; i < n + 60; i++) printf("%d", SBChain_Check(c, k, key(k, i)));
  size_t len;
  char *header = SBChain_GetEncodedHeader(c, &len);
  hex(1, header, len);
  long long iter = 1;
  const char *chunk;
  while ((chunk = SBChain_GetEncodedChunk(c, &iter, &len, 1000)) != NULL) hex(iter, chunk, len);
  printf("\n");
}

int main(void) {
  line(1, 0.25, 2, 40);
  line(10, 0.01, 2, 200);
  line(10, 0.2, 1, 60);
  line(20, 0.1, 0, 25);
  line(1000, 0.001, 2, 50);
  line(3, 1e-300, 4, 20);
  line(100, 0.25, 2, 1500);
}
