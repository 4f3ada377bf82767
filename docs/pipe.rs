// A Bloom filter behind the protocol of `bloomproof conform`, see pipe.md: rustc --edition 2021 -O docs/pipe.rs
use std::collections::{hash_map::DefaultHasher, HashMap};
use std::{hash::Hasher, io::{self, BufRead, Write}};
struct Filter { m: u64, k: u64, bits: Vec<u8> }

impl Filter {
    fn new(m: u64, k: u64) -> Filter { Filter { m, k, bits: vec![0; m as usize / 8 + 1] } }
    fn positions(&self, key: &str) -> Vec<usize> { (1..=self.k).map(|j| (hash(j, key.as_bytes()) % self.m) as usize).collect() }
    fn add(&mut self, key: &str) { for p in self.positions(key) { self.bits[p / 8] |= 1 << (p % 8); } }
    fn has(&self, key: &str) -> bool { self.positions(key).iter().all(|p| self.bits[p / 8] >> (p % 8) & 1 == 1) }
    fn save(&self) -> Vec<u8> {
        let data = [&self.m.to_le_bytes()[..], &self.k.to_le_bytes(), &self.bits].concat();
        [&hash(0, &data).to_le_bytes()[..], &data].concat()
    }
    fn load(saved: &[u8]) -> Option<Filter> {
        let word = |i: usize| Some(u64::from_le_bytes(saved.get(i..i + 8)?.try_into().ok()?));
        (word(0)? == hash(0, &saved[8..])).then_some(Filter { m: word(8)?, k: word(16)?, bits: saved[24..].to_vec() })
    }
}
fn hash(seed: u64, data: &[u8]) -> u64 { let mut h = DefaultHasher::new(); h.write_u64(seed); h.write(data); h.finish() }
fn bytes(hex: &str) -> Vec<u8> { (1..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i - 1..=i], 16).unwrap()).collect() }
fn main() {
    let mut filters: HashMap<String, Filter> = HashMap::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let (id, rest) = (words.get(1).unwrap_or(&"").to_string(), &words[words.len().min(2)..]);
        let mut keep = |f: Filter| { let shape = format!("ok {} {}", f.m, f.k); filters.insert(id.clone(), f); shape };
        println!("{}", match words[0] {
            "hello" => "ok standard 0 version=2 new bits save load".to_string(),
            "new" => keep(Filter::new(rest[0].parse().unwrap(), rest[1].parse().unwrap())),
            "load" => Filter::load(&bytes(rest[0])).map_or("no: not a snapshot".to_string(), keep),
            "add" => { rest.iter().for_each(|key| filters.get_mut(&id).unwrap().add(key)); "ok".to_string() }
            "has" => rest.iter().map(|key| if filters[&id].has(key) { '1' } else { '0' }).collect(),
            "bits" => filters[&id].bits.iter().map(|b| b.count_ones()).sum::<u32>().to_string(),
            "save" => filters[&id].save().iter().fold("ok ".to_string(), |hex, b| hex + &format!("{b:02x}")),
            _ => { filters.remove(&id); "ok".to_string() }
        });
        io::stdout().flush().unwrap();
    }
}
