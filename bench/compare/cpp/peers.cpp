// C++ peers of the comparison: reads a command a line from standard input, answers each with a
// line, "ok" and values or "error" and a reason. Bench/compare drives it, in the same rounds as the
// Go peers. Keys are numbers times an odd constant, mixed before the clock starts: the hash is ready,
// and the filters take it as it is.
//
//   version                              what this is
//   peers                                the kinds of filters that there are, and libpopcnt
//   new NAME KIND K BITS huge|small      a filter; answers the address of its bits and their number
//   drop                                 all filters
//   half NAME                            sets each bit with probability 1/2
//   clear NAME
//   add NAME FIRST N                     keys number FIRST to FIRST+N-1
//   positives NAME FIRST N               how many of those keys are contained
//   ones NAME                            how many bits are set
//   fill NAME plain|bulk N               clears, adds N keys: nanoseconds a key
//   time NAME plain|bulk OP N CHUNKS     OP add, hit, miss or half, N keys being there: nanoseconds a key
//   words BYTES huge|small               memory of which half of the bits are set at random; 0 for none
//   count BYTES TIMES                    nanoseconds a byte that libpopcnt takes, and the ones in it
//
// Each library takes part if its headers are there.

#if __has_include(<boost/bloom/filter.hpp>)
#define HAVE_BOOST
#include <boost/bloom/fast_multiblock32.hpp>
#include <boost/bloom/fast_multiblock64.hpp>
#include <boost/bloom/filter.hpp>
#include <boost/version.hpp>
#endif

#if __has_include(<bloom/simd-block.h>) && defined(__AVX2__) // without AVX2 there is no such filter
#define HAVE_FASTFILTER
#include <immintrin.h> // calls posix_memalign, which has another name for FastFilter's header below
#endif

#if __has_include(<libpopcnt.h>)
#define HAVE_LIBPOPCNT
#include <libpopcnt.h>
#endif

#if !defined(HAVE_BOOST) && !defined(HAVE_FASTFILTER) && !defined(HAVE_LIBPOPCNT)
#error "no headers of any peer"
#else

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

using std::uint64_t;

constexpr std::size_t chunk = 4096;           // keys handed over at once
constexpr uint64_t first_miss = 1ULL << 40;   // the first key that is never added
constexpr std::size_t huge_page = 2 << 20;
constexpr std::size_t restored = 8 << 20;     // bytes of a filter up to which inserts are undone

bool huge_pages = true; // of the next filter

// allocator asks for the pages that all filters have, where there is room for a huge one.
template <class T> struct allocator {
  using value_type = T;
  allocator() = default;
  template <class U> allocator(const allocator<U>&) {}
  T* allocate(std::size_t n) {
    std::size_t bytes = (n * sizeof(T) + huge_page - 1) / huge_page * huge_page;
    void* p = std::aligned_alloc(huge_page, bytes);
    if (!p) throw std::bad_alloc();
#ifdef __linux__
    bool room = n * sizeof(T) >= huge_page;
    madvise(p, bytes, huge_pages && room ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  template <class U> bool operator==(const allocator<U>&) const { return true; }
  template <class U> bool operator!=(const allocator<U>&) const { return false; }
};

// ready returns the hash, which keys are already.
struct ready {
  using is_avalanching = std::true_type;
  std::size_t operator()(uint64_t x) const { return static_cast<std::size_t>(x); }
};

// key returns the hash of key number i: distinct for distinct numbers.
uint64_t key(uint64_t i) {
  uint64_t x = i * 0x9e3779b97f4a7c15ULL;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

// now returns the time that this thread has run, in nanoseconds.
double now() {
#ifdef __linux__
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
#else
  return double(std::chrono::duration_cast<std::chrono::nanoseconds>(
    std::chrono::steady_clock::now().time_since_epoch()).count());
#endif
}

uint64_t next_random() {
  static uint64_t x = 0x853c49e6748fea9bULL;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

// filter is what the commands need. Each call takes many keys, so that no call through the table of
// virtual functions is measured.
struct filter {
  virtual ~filter() = default;
  virtual void add(const uint64_t* keys, std::size_t n, bool bulk) = 0;
  virtual uint64_t found(const uint64_t* keys, std::size_t n, bool bulk) const = 0;
  virtual unsigned char* bytes() = 0;
  virtual std::size_t size() const = 0;
  uint64_t hit = 0, miss = first_miss, fresh = first_miss << 1;
};

// random_bits sets each bit with probability 1/2. There are whole words of 8 bytes.
void random_bits(unsigned char* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    uint64_t x = next_random();
    std::memcpy(at + i, &x, sizeof x);
  }
}

uint64_t ones_of(const unsigned char* at, std::size_t bytes) {
  uint64_t ones = 0, x;
  for (std::size_t i = 0; i < bytes; i += sizeof x) {
    std::memcpy(&x, at + i, sizeof x);
    ones += std::bitset<64>(x).count();
  }
  return ones;
}

#ifdef HAVE_BOOST
template <class Boost> struct boost_filter final : filter {
  Boost f;
  explicit boost_filter(std::size_t bits) : f(bits) {}
  void add(const uint64_t* keys, std::size_t n, bool bulk) override {
    if (bulk) {
      f.insert(keys, keys + n);
      return;
    }
    for (std::size_t i = 0; i < n; i++) f.insert(keys[i]);
  }
  uint64_t found(const uint64_t* keys, std::size_t n, bool bulk) const override {
    uint64_t sum = 0;
    if (bulk) {
      f.may_contain(keys, keys + n, [&](uint64_t, bool in) { sum += in; });
      return sum;
    }
    for (std::size_t i = 0; i < n; i++) sum += f.may_contain(keys[i]);
    return sum;
  }
  unsigned char* bytes() override { return f.array().data(); }
  std::size_t size() const override { return f.array().size(); }
};

namespace bloom = boost::bloom;
template <std::size_t K> using free_positions =
  bloom::filter<uint64_t, K, bloom::block<unsigned char, 1>, 1, ready, allocator<unsigned char>>;
using multiblock32 = bloom::filter<uint64_t, 1, bloom::fast_multiblock32<8>, 0, ready, allocator<unsigned char>>;
using multiblock64 = bloom::filter<uint64_t, 1, bloom::fast_multiblock64<8>, 0, ready, allocator<unsigned char>>;
#endif

#ifdef HAVE_FASTFILTER
unsigned char* last_aligned; // by aligned_pages

// aligned_pages is posix_memalign for FastFilter's header: with the pages that all filters have.
int aligned_pages(void** memory, std::size_t, std::size_t bytes) {
  *memory = last_aligned = allocator<unsigned char>().allocate(bytes);
  return 0;
}

} // namespace

#define posix_memalign aligned_pages
#include <bloom/simd-block.h>
#undef posix_memalign

namespace {

// simd_block is a filter of FastFilter; it has no bulk form, and sizes that are powers of two.
struct simd_block final : filter {
  SimdBlockFilter<ready> f;
  unsigned char* memory;
  explicit simd_block(int log_bytes) : f(log_bytes), memory(last_aligned) {}
  void add(const uint64_t* keys, std::size_t n, bool) override {
    for (std::size_t i = 0; i < n; i++) f.Add(keys[i]);
  }
  uint64_t found(const uint64_t* keys, std::size_t n, bool) const override {
    uint64_t sum = 0;
    for (std::size_t i = 0; i < n; i++) sum += f.Find(keys[i]);
    return sum;
  }
  unsigned char* bytes() override { return memory; }
  std::size_t size() const override { return f.SizeInBytes(); }
};
#endif

std::unique_ptr<filter> make(const std::string& kind, int k, uint64_t bits) {
#ifdef HAVE_BOOST
  if (kind == "filter" && k == 7) return std::make_unique<boost_filter<free_positions<7>>>(bits);
  if (kind == "filter" && k == 13) return std::make_unique<boost_filter<free_positions<13>>>(bits);
  if (kind == "filter" && k == 20) return std::make_unique<boost_filter<free_positions<20>>>(bits);
  if (kind == "multiblock32" && k == 8) return std::make_unique<boost_filter<multiblock32>>(bits);
  if (kind == "multiblock64" && k == 8) return std::make_unique<boost_filter<multiblock64>>(bits);
#endif
#ifdef HAVE_FASTFILTER
  int log_bytes = 0;
  while (uint64_t(8) << log_bytes < bits) log_bytes++;
  if (kind == "simdblock" && k == 8) return std::make_unique<simd_block>(log_bytes);
#endif
  throw std::invalid_argument("no such filter");
}

std::map<std::string, std::unique_ptr<filter>> filters;

filter& named(const std::string& name) {
  auto at = filters.find(name);
  if (at == filters.end()) throw std::invalid_argument("no filter " + name);
  return *at->second;
}

// each calls f for chunks of the keys number first to first+n-1.
template <class F> void each(uint64_t first, uint64_t n, F f) {
  uint64_t keys[chunk];
  for (uint64_t i = 0; i < n; i += chunk) {
    std::size_t m = std::min<uint64_t>(chunk, n - i);
    for (std::size_t j = 0; j < m; j++) keys[j] = key(first + i + j);
    f(keys, m);
  }
}

// next makes the next chunk of keys of a pattern, of which the first n were added.
void next(filter& f, const std::string& op, uint64_t n, uint64_t* keys) {
  for (std::size_t i = 0; i < chunk; i++) {
    if (op == "add")
      keys[i] = key(f.fresh++);
    else if (op == "hit" || (op == "half" && (next_random() >> 32 & 1)))
      keys[i] = key(f.hit++ % n);
    else
      keys[i] = key(f.miss++);
  }
}

// timed returns the nanoseconds a key of an operation. Before a chunk of look-ups another one warms
// up. Inserts into small filters are undone, so that the filters do not fill up.
double timed(filter& f, bool bulk, const std::string& op, uint64_t n, uint64_t chunks) {
  static volatile uint64_t sink;
  uint64_t keys[2][chunk];
  std::vector<unsigned char> kept;
  if (op == "add" && f.size() <= restored) kept.assign(f.bytes(), f.bytes() + f.size());
  double spent = 0;
  for (uint64_t c = 0; c < chunks; c++) {
    next(f, op, n, keys[0]);
    if (op == "add") {
      double start = now();
      f.add(keys[0], chunk, bulk);
      spent += now() - start;
      continue;
    }
    next(f, op, n, keys[1]);
    sink = f.found(keys[0], chunk, bulk);
    double start = now();
    sink = f.found(keys[1], chunk, bulk);
    spent += now() - start;
  }
  if (!kept.empty()) std::memcpy(f.bytes(), kept.data(), kept.size());
  return spent / double(chunks * chunk);
}

std::vector<unsigned char, allocator<unsigned char>> words;

#ifdef HAVE_LIBPOPCNT
// counted writes the nanoseconds a byte that the ones of some bytes take, and their number.
void counted(uint64_t bytes, uint64_t times, std::ostream& out) {
  if (bytes > words.size()) throw std::invalid_argument("more than there are");
  const unsigned char* volatile at = words.data(); // read each time, so that each count takes place
  uint64_t sum = 0;
  double start = now();
  for (uint64_t i = 0; i < times; i++) sum += popcnt(at, bytes);
  out << (now() - start) / double(times * bytes) << ' ' << sum / times;
}
#endif

void answer(std::istringstream& line, std::ostream& out) {
  std::string command, name;
  line >> command;
  if (command == "version") {
#ifdef HAVE_BOOST
    out << "Boost.Bloom of Boost " << BOOST_VERSION / 100000 << '.' << BOOST_VERSION / 100 % 1000 << ", ";
#endif
#ifdef HAVE_FASTFILTER
    out << "SimdBlockFilter of FastFilter, ";
#endif
#ifdef HAVE_LIBPOPCNT
    out << "libpopcnt, ";
#endif
#if defined(__clang__)
    out << "by clang " << __clang_major__;
#elif defined(__GNUC__)
    out << "by gcc " << __GNUC__;
#else
    out << "by a compiler";
#endif
#if defined(__AVX512F__)
    out << " for AVX-512";
#elif defined(__AVX2__)
    out << " for AVX2";
#elif defined(__SSE2__)
    out << " for SSE2";
#endif
    return;
  }
  if (command == "peers") {
#ifdef HAVE_BOOST
    out << "filter multiblock64 multiblock32 ";
#endif
#ifdef HAVE_FASTFILTER
    out << "simdblock ";
#endif
#ifdef HAVE_LIBPOPCNT
    out << "libpopcnt";
#endif
    return;
  }
  if (command == "drop") {
    filters.clear();
    return;
  }
  if (command == "words") {
    std::string pages;
    uint64_t bytes = 0;
    line >> bytes >> pages;
    huge_pages = pages == "huge";
    words = decltype(words)(bytes);
    random_bits(words.data(), bytes);
    return;
  }
#ifdef HAVE_LIBPOPCNT
  if (command == "count") {
    uint64_t bytes = 0, times = 0;
    line >> bytes >> times;
    counted(bytes, times, out);
    return;
  }
#endif
  line >> name;
  if (command == "new") {
    std::string kind, pages;
    int k = 0;
    uint64_t bits = 0;
    line >> kind >> k >> bits >> pages;
    huge_pages = pages == "huge";
    filter& f = *(filters[name] = make(kind, k, bits));
    out << reinterpret_cast<std::uintptr_t>(f.bytes()) << ' ' << f.size() * 8;
    return;
  }
  filter& f = named(name);
  std::string form, op;
  uint64_t first = 0, n = 0, chunks = 0;
  if (command == "half") {
    random_bits(f.bytes(), f.size());
  } else if (command == "clear") {
    std::memset(f.bytes(), 0, f.size());
  } else if (command == "add" && line >> first >> n) {
    each(first, n, [&](const uint64_t* keys, std::size_t m) { f.add(keys, m, true); });
  } else if (command == "positives" && line >> first >> n) {
    uint64_t found = 0;
    each(first, n, [&](const uint64_t* keys, std::size_t m) { found += f.found(keys, m, true); });
    out << found;
  } else if (command == "ones") {
    out << ones_of(f.bytes(), f.size());
  } else if (command == "fill" && line >> form >> n) {
    std::memset(f.bytes(), 0, f.size());
    double spent = 0;
    each(0, n, [&](const uint64_t* keys, std::size_t m) {
      double start = now();
      f.add(keys, m, form == "bulk");
      spent += now() - start;
    });
    out << spent / double(n);
  } else if (command == "time" && line >> form >> op >> n >> chunks) {
    out << timed(f, form == "bulk", op, n, chunks);
  } else {
    throw std::invalid_argument("not a command: " + command);
  }
}

} // namespace

int main() {
#ifdef LIBPOPCNT_HAVE_CPUID // libpopcnt asks the CPU, and gets no more than this program is compiled for
  int flags = get_cpuid();
#ifndef __AVX512F__
  flags &= ~LIBPOPCNT_BIT_AVX512_VPOPCNTDQ;
#endif
#ifndef __AVX2__
  flags &= ~LIBPOPCNT_BIT_AVX2;
#endif
  libpopcnt_cpuid = flags;
#endif
  std::string text;
  while (std::getline(std::cin, text)) {
    std::istringstream line(text);
    std::ostringstream out;
    try {
      answer(line, out);
      std::cout << "ok " << out.str() << std::endl;
    } catch (const std::exception& e) {
      std::cout << "error " << e.what() << std::endl;
    }
  }
}

#endif
