fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("arguments: {:?}, sum {}", arguments, sum(&[1, 2, 3]));
    if arguments.first().map(String::as_str) == Some("fail") {
        std::process::exit(3);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::sum(&[1, 2, 3]), 6);
    }

    #[test]
    fn panics_are_caught() {
        assert!(std::panic::catch_unwind(|| panic!("on purpose")).is_err());
    }

    #[test]
    fn fails_when_asked() {
        assert!(std::env::var("MUST_FAIL").is_err(), "asked to fail");
    }
}
