use std::collections::HashMap; use std::thread;
fn work(n: u64) -> u64 { let mut m = HashMap::new(); for i in 0..n { *m.entry(i % 7).or_insert(0u64) += i; } m.values().sum() }
fn main() { let h: Vec<_> = (0..4).map(|i| thread::spawn(move || work(1000 + i))).collect(); let mut s = 0; for x in h { s += x.join().unwrap(); } println!("{}", s); let v: Vec<String> = std::env::args().collect(); println!("{}", v.len()); }
