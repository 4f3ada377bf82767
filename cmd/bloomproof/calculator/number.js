"use strict";
// What people type, read exactly: as fractions of whole numbers.

const words = { __proto__: null, thousand: 10n ** 3n, million: 10n ** 6n, billion: 10n ** 9n, trillion: 10n ** 12n };

// decimal reads 1,000,000 or 1_000 or 2.5e6 or 2^40 as [numerator, denominator].
function decimal(text) {
  let power = /^(\d{1,20})\^(\d{1,3})$/.exec(text);
  if (power) {
    if (BigInt(power[1]) > 1000n && BigInt(power[2]) > 100n) return null;
    return [BigInt(power[1]) ** BigInt(power[2]), 1n];
  }
  text = text.replace(/(\d)[_' \u00a0\u202f](?=\d{3}(\D|$))/g, "$1").replace(/(\d),(?=\d{3}(\D|$))/g, "$1");
  const parts = /^(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text);
  if (!parts || !(parts[1] || parts[2]) || text.length > 400) return null;
  const digits = BigInt(parts[1] + (parts[2] || "")), e = Number(parts[3] || 0) - (parts[2] || "").length;
  return e >= 0 ? [digits * 10n ** BigInt(e), 1n] : [digits, 10n ** BigInt(-e)];
}

// whole reads a number of items, or with bits a size, as a BigInt; it throws what is wrong.
// K, M, G are powers of 1000, Ki, Mi, Gi of 1024.
function whole(text, bits) {
  const wrong = bits ? "must be bits such as 1e9 or 8 Mi, or bytes such as 16 MiB" : "must be a whole number such as 1,000,000, 1e9 or 2 million";
  const parts = /^(.*?\d\.?)\s*([a-z]*)$/i.exec(text.trim());
  if (!parts) throw wrong;
  let [numerator, denominator] = decimal(parts[1]) || (() => { throw wrong; })();
  let unit = parts[2];
  if (words[unit.toLowerCase()]) {
    numerator *= words[unit.toLowerCase()];
    unit = "";
  } else if (unit) {
    const known = bits ? /^([kmgtpe]?)(i?)(b|bytes?|bits?|)$/i.exec(unit) : /^([kmgtpe])(i?)()$/i.exec(unit);
    if (!known) throw wrong;
    if (known[3] === "b" && /^([A-Z].*)?$/.test(unit.slice(0, -1))) throw unit + " may be bits or bytes: write bit or B";
    numerator *= (known[2] ? 1024n : 1000n) ** BigInt("KMGTPE".indexOf(known[1].toUpperCase() || "?") + 1);
    if (/^b(yte.*)?$/i.test(known[3])) numerator *= 8n;
  }
  if (numerator % denominator !== 0n || numerator === 0n || numerator / denominator >= 2n ** 64n) throw wrong + ", from 1 to 2^64-1";
  return numerator / denominator;
}

// rate reads 1 %, 0.01, 1e-6, 1/1000, 1 in a million, or 1000 for 1 in 1000, as a decimal that the
// command takes; it throws what is wrong.
function rate(text) {
  const wrong = "must be above 0 and below 1, such as 0.01, 1 %, 1e-6 or 1 in a million";
  const one = (s) => {
    s = s.trim().toLowerCase();
    const word = /^(.*?)\s*(thousand|million|billion|trillion)$/.exec(s);
    const number = word ? word[1] : s;
    const x = number === "a" || number === "one" || word && number === "" ? [1n, 1n] : decimal(number);
    if (!x) throw wrong;
    return word ? [x[0] * words[word[2]], x[1]] : x;
  };
  let numerator, denominator;
  const ratio = /^(.+?)(?:\s+in\s+|\s*[/:]\s*)(.+)$/i.exec(text.trim());
  const percent = /^(.*?)\s*(%|percent|per cent)$/i.exec(text.trim());
  if (ratio) {
    const [a, b] = [one(ratio[1]), one(ratio[2])];
    [numerator, denominator] = [a[0] * b[1], a[1] * b[0]];
  } else {
    [numerator, denominator] = one(percent ? percent[1] : text);
    if (percent) denominator *= 100n;
    else if (numerator > denominator && numerator % denominator) throw wrong; // 1.5 is neither a rate nor 1 in so many
    else if (numerator > denominator) [numerator, denominator] = [denominator, numerator];
  }
  if (numerator <= 0n || numerator >= denominator) throw wrong;
  let e = 0;
  while (numerator * 10n < denominator) { numerator *= 10n; e++; }
  const digits = String(numerator * 10n ** 40n / denominator).replace(/0+$/, "");
  return digits + "e" + (-e - 40 + (String(numerator * 10n ** 40n / denominator).length - digits.length));
}

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

function bytes(bits) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let x = Number(bits) / 8, i = 0;
  while (x >= 1024 && i < units.length - 1) { x /= 1024; i++; }
  return (i === 0 ? Math.ceil(x) : x.toPrecision(4)) + " " + units[i];
}

// six writes a number that a command gave as text with six significant digits.
function six(text) {
  const [lead, e] = Number(text).toPrecision(6).split("e");
  return (lead.includes(".") ? lead.replace(/\.?0+$/, "") : lead) + (e ? "e" + e.replace("+", "") : "");
}
