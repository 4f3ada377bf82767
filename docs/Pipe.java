// A Bloom filter behind the protocol of `bloomproof conform`, see pipe.md: java docs/Pipe.java
import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
public class Pipe {
    record Filter(long m, int k, BitSet bits) {
        java.util.stream.IntStream positions(String key) throws Exception { // by a generator that the key seeds
            return new SplittableRandom(ByteBuffer.wrap(digest(bytes(key))).getLong()).longs(k, 0, m).mapToInt(p -> (int) p);
        }
        static Filter of(ByteBuffer b) { return new Filter(b.getLong(), b.getInt(), BitSet.valueOf(b)); }
        @Override public String toString() { return "ok " + m + " " + k; }
    }
    static byte[] bytes(String word) { return HexFormat.of().parseHex(word.equals("-") ? "" : word); }
    static byte[] digest(byte[] data) throws Exception { return java.security.MessageDigest.getInstance("SHA-256").digest(data); }
    public static void main(String[] none) throws Exception {
        Map<String, Filter> filters = new HashMap<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; System.out.flush()) {
            String[] w = line.split(" ");
            Filter f = w.length > 1 ? filters.get(w[1]) : null;
            if (w[0].equals("new")) filters.put(w[1], f = new Filter(Long.parseLong(w[2]), Integer.parseInt(w[3]), new BitSet()));
            for (int i = 2; i < w.length && w[0].equals("add"); i++) f.positions(w[i]).forEach(f.bits::set);
            for (int i = 2; i < w.length && w[0].equals("has"); i++) System.out.print(f.positions(w[i]).allMatch(f.bits::get) ? 1 : 0);
            byte[] saved = w[0].equals("load") ? bytes(w[2]) : new byte[0], data = Arrays.copyOfRange(saved, Math.min(32, saved.length), saved.length);
            boolean good = Arrays.equals(digest(data), Arrays.copyOf(saved, 32));
            if (good) filters.put(w[1], f = Filter.of(ByteBuffer.wrap(data)));
            if (w[0].equals("save")) data = ByteBuffer.allocate(12 + (int) (f.m + 7) / 8).putLong(f.m).putInt(f.k).put(f.bits.toByteArray()).array();
            System.out.println(switch (w[0]) {
                case "hello" -> "ok standard 0 version=2 new bits reset save load";
                case "new" -> f;
                case "load" -> good ? f : "no: not a snapshot";
                case "save" -> "ok " + HexFormat.of().formatHex(digest(data)) + HexFormat.of().formatHex(data);
                case "bits" -> f.bits.cardinality();
                case "has" -> "";
                case "reset" -> { f.bits.clear(); yield "ok"; }
                default -> { if (w[0].equals("free")) filters.remove(w[1]); yield "ok"; }
            });
        }
    }
}
