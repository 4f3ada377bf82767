import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.io.BaseEncoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.function.IntFunction;

// Prints, a line each, the serial forms of filters and which keys they contain; with a file of such
// lines, reads their filters and prints the lines anew from these.
public class Vectors {
  static String key(int i) { return "key " + i + "\u00e9\ud83d\ude00".repeat(i % 9); }

  static <T> void line(String name, Funnel<T> funnel, IntFunction<T> key, int strategy, int k, int longs, int n, byte[] given) throws Exception {
    byte[] empty = ByteBuffer.allocate(6 + 8 * longs).put((byte) strategy).put((byte) k).putInt(longs).array();
    BloomFilter<T> f = BloomFilter.readFrom(new ByteArrayInputStream(given == null ? empty : given), funnel);
    StringBuilder fresh = new StringBuilder(), has = new StringBuilder();
    for (int i = 0; i < n; i++) fresh.append(f.put(key.apply(i)) ? 1 : 0);
    for (int i = n; i < n + 60; i++) has.append(f.mightContain(key.apply(i)) ? 1 : 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    f.writeTo(out);
    System.out.println(name + " " + strategy + " " + k + " " + longs + " " + n + " " + fresh + " " + has + " "
        + f.expectedFpp() + " " + BaseEncoding.base16().lowerCase().encode(out.toByteArray()));
  }

  static void all(String name, int strategy, int k, int longs, int n, byte[] given) throws Exception {
    switch (name) {
      case "bytes": line(name, Funnels.byteArrayFunnel(), i -> key(i).getBytes(StandardCharsets.UTF_8), strategy, k, longs, n, given); break;
      case "utf8": line(name, Funnels.stringFunnel(StandardCharsets.UTF_8), i -> key(i), strategy, k, longs, n, given); break;
      case "chars": line(name, Funnels.unencodedCharsFunnel(), i -> key(i), strategy, k, longs, n, given); break;
      case "int": line(name, Funnels.integerFunnel(), i -> -i * 0x01234567, strategy, k, longs, n, given); break;
      case "long": line(name, Funnels.longFunnel(), i -> -i * 0x0123456789abcdefL, strategy, k, longs, n, given); break;
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      for (String l : Files.readAllLines(Paths.get(args[0]))) {
        String[] p = l.split(" ");
        all(p[0], Integer.parseInt(p[1]), Integer.parseInt(p[2]), Integer.parseInt(p[3]), Integer.parseInt(p[4]), BaseEncoding.base16().lowerCase().decode(p[8]));
      }
      return;
    }
    for (int strategy = 0; strategy < 2; strategy++)
      for (String name : new String[] {"bytes", "utf8", "chars", "int", "long"})
        for (int[] s : new int[][] {{1, 1, 20}, {5, 3, 25}, {7, 16, 90}, {255, 9, 1}})
          all(name, strategy, s[0], s[1], s[2], null);
  }
}
