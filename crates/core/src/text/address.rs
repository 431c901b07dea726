//! Addresses of the web, with a host in which nothing looks like something else.

use unicode_normalization::UnicodeNormalization;

use crate::dialog;

/// The address with its host in ASCII (RFC 3492), and nothing else changed: `https://xn--bcher-kva.example`
/// for `https://bücher.example`. That is shown, and that is opened.
pub fn with_ascii_host(address: &str) -> String {
    match dialog::host(address).filter(|host| !host.is_ascii()) {
        Some(host) => {
            let ascii: String = host.split_inclusive(['.', ':', '@']).map(ascii_part).collect();
            address.replacen(host, &ascii, 1)
        }
        None => address.into(),
    }
}

/// A label, with what parts it from the next.
fn ascii_part(part: &str) -> String {
    let label = part.trim_end_matches(['.', ':', '@']);
    let end = &part[label.len()..];
    let label: String = label.to_lowercase().nfkc().collect();
    if label.is_ascii() { label + end } else { format!("xn--{}{end}", punycode(&label)) }
}

const BASE: u32 = 36;
const FIRST_THRESHOLD: u32 = 1;
const LAST_THRESHOLD: u32 = 26;

/// The names are those of the RFC.
fn punycode(label: &str) -> String {
    let mut code: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(code.len()).unwrap_or(u32::MAX);
    let mut handled = basic;
    if basic > 0 {
        code.push('-');
    }
    let (mut n, mut delta, mut bias) = (128_u32, 0_u32, 72_u32);
    let points = || label.chars().map(u32::from);
    while let Some(next) = points().filter(|point| *point >= n).min() {
        delta = delta.saturating_add((next - n).saturating_mul(handled + 1));
        n = next;
        for point in points() {
            if point < n {
                delta = delta.saturating_add(1);
            }
            if point == n {
                write_number(&mut code, delta, bias);
                bias = adapted(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.saturating_add(1);
        n += 1;
    }
    code
}

fn write_number(code: &mut String, mut number: u32, bias: u32) {
    let mut k = BASE;
    loop {
        let threshold = k.saturating_sub(bias).clamp(FIRST_THRESHOLD, LAST_THRESHOLD);
        if number < threshold {
            break code.push(digit(number));
        }
        let rest = number - threshold;
        code.push(digit(threshold + rest % (BASE - threshold)));
        number = rest / (BASE - threshold);
        k += BASE;
    }
}

/// `a` to `z`, then `0` to `9`.
fn digit(value: u32) -> char {
    let first = if value < 26 { u32::from('a') } else { u32::from('0') - 26 };
    char::from_u32(first + value).unwrap_or_default()
}

fn adapted(delta: u32, count: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > (BASE - FIRST_THRESHOLD) * LAST_THRESHOLD / 2 {
        delta /= BASE - FIRST_THRESHOLD;
        k += BASE;
    }
    k + (BASE - FIRST_THRESHOLD + 1) * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(address: &str, expected: &str) {
        assert_eq!(with_ascii_host(address), expected);
    }

    #[test]
    fn a_host_is_shown_in_ascii() {
        case("https://a.example/ü?q=я", "https://a.example/ü?q=я");
        case("https://bücher.example/a", "https://xn--bcher-kva.example/a");
        case("http://BÜCHER.example", "http://xn--bcher-kva.example");
        case("https://b.例え.テスト:80/x", "https://b.xn--r8jz45g.xn--zckzah:80/x");
        case("https://пример.испытание", "https://xn--e1afmkfd.xn--80akhbyknj4f");
        case("https://\u{440}\u{430}ypal.com", "https://xn--ypal-43d9g.com");
        case("https://مثال.إختبار", "https://xn--mgbh0fb.xn--kgbechtv");
        case("mailto:ü@example.org", "mailto:ü@example.org");
        case("", "");
    }

    #[test]
    fn nothing_that_is_no_host_panics() {
        for host in ["\u{10ffff}".repeat(300), "ü@я:8".into(), "..ü..".into(), "\u{130}".into()]
        {
            assert!(with_ascii_host(&format!("https://{host}/")).is_ascii(), "{host}");
        }
    }
}
