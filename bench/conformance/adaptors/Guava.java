// Guava's BloomFilter behind the protocol of docs/pipe.md: java -cp /usr/share/java/guava.jar Guava.java
import com.google.common.hash.*;
import java.io.*;
import java.util.*;
class Guava {
	static java.nio.ByteBuffer written(BloomFilter<byte[]> f) throws IOException {
		var out = new ByteArrayOutputStream(); // the strategy, k, the number of words, the words
		f.writeTo(out);
		return java.nio.ByteBuffer.wrap(out.toByteArray());
	}
	static byte[] unhex(String word) { return word.equals("-") ? new byte[0] : HexFormat.of().parseHex(word); }
	static String answer(Map<String, BloomFilter<byte[]>> filters, String[] w) throws IOException {
		if (w[0].equals("hello")) return "ok standard 0 version=2 make bits union testadd items rate save load";
		if (w[0].equals("make")) filters.put(w[1], BloomFilter.create(Funnels.byteArrayFunnel(), Long.parseLong(w[2]), Double.parseDouble(w[3])));
		if (w[0].equals("load")) filters.put(w[1], BloomFilter.readFrom(new ByteArrayInputStream(unhex(w[2])), Funnels.byteArrayFunnel()));
		if (w[0].equals("add")) for (int i = 2; i < w.length; i++) filters.get(w[1]).put(unhex(w[i]));
		var digits = new StringBuilder();
		if (w[0].equals("has")) for (int i = 2; i < w.length; i++) digits.append(filters.get(w[1]).mightContain(unhex(w[i])) ? '1' : '0');
		var f = w[0].equals("free") ? filters.remove(w[1]) : filters.get(w[1]);
		return switch (w[0]) {
			case "make", "load" -> "ok " + 64L * written(f).getInt(2) + " " + written(f).get(1);
			case "union" -> { if (!w[1].equals(w[2])) f.putAll(filters.get(w[2])); yield "ok"; } // refused with itself
			case "testadd" -> f.put(unhex(w[2])) ? "0" : "1";
			case "has" -> digits.toString();
			case "bits" -> "" + BitSet.valueOf(written(f).position(6)).cardinality();
			case "items", "rate" -> "" + (w[0].equals("items") ? f.approximateElementCount() : f.expectedFpp());
			case "save" -> "ok " + HexFormat.of().formatHex(written(f).array());
			default -> "ok"; // add, free
		};
	}
	public static void main(String[] args) throws IOException { // items of a full filter is an ArithmeticException
		var filters = new HashMap<String, BloomFilter<byte[]>>();
		var in = new BufferedReader(new InputStreamReader(System.in), 1 << 18);
		for (String line; (line = in.readLine()) != null; System.out.flush()) {
			try { line = answer(filters, line.split(" ")); }
			catch (ArithmeticException e) { line = "Infinity"; } catch (Exception | OutOfMemoryError e) { line = "no " + e.toString().replace('\n', ' '); }
			System.out.println(line);
		}
	}
}
