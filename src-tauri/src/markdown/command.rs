//! A shell command as HTML. A long line is broken before each command in it, so that none hides behind
//! another; the breaks are only shown, and the text has none of them.

use super::html_text;

/// Shorter lines are read at a glance.
const SHORT: usize = 60;
/// As many lines are shown at first. A few more are shown, too: the page needs a line to say so.
const SHOWN: usize = 12;
const SPARED: usize = 3;

/// The command with its breaks, and what is below the first lines in an element of its own, which the
/// page can fold.
pub(super) fn html(command: &str) -> String {
    let command = command.strip_suffix('\n').unwrap_or(command);
    let breaks = breaks(command);
    let ends = command.match_indices('\n').map(|(at, _)| (at, false));
    let mut stops: Vec<_> = breaks.into_iter().map(|at| (at, true)).chain(ends).collect();
    stops.sort_unstable();
    let lines = stops.len() + 1;
    let folds = lines > SHOWN + SPARED;
    let mut html = String::with_capacity(command.len() * 2);
    html.push_str("<pre class=\"command\" data-language=\"sh\"");
    if folds {
        html.extend([" data-lines=\"", &lines.to_string(), "\""]);
    }
    html.push_str("><code>");
    let mut from = 0;
    for (line, (at, is_break)) in stops.into_iter().enumerate() {
        html_text(&mut html, &command[from..at]);
        if folds && line + 1 == SHOWN {
            html.push_str("<span class=\"rest\">");
        }
        if is_break {
            html.push_str("<span class=\"stop\"></span>");
        }
        from = at;
    }
    html_text(&mut html, &command[from..]);
    if folds {
        html.push_str("</span>");
    }
    html.push_str("</code></pre>\n");
    html
}

/// Where long lines are broken: before `&&`, `||`, `|` and `;` that stand in no quotes, no comment and
/// no document that follows.
fn breaks(command: &str) -> Vec<usize> {
    let mut breaks = Vec::new();
    let mut quote = None;
    for (start, line) in lines(command) {
        let mut found = Vec::new();
        let mut rest = line.char_indices().peekable();
        let mut before = ' ';
        while let Some((at, c)) = rest.next() {
            match (quote, c) {
                (None | Some('"'), '\\') => {
                    rest.next();
                }
                (Some(open), c) => quote = quote.filter(|_| open != c),
                (None, '\'' | '"' | '`') => quote = Some(c),
                (None, '#') if before.is_whitespace() => break,
                (None, '<') if line[at..].starts_with("<<") && !line[at..].starts_with("<<<") => {
                    breaks.extend(kept(line, &found).map(|at| start + at));
                    return breaks;
                }
                (None, '|' | ';' | '&') => {
                    let again = rest.next_if(|(_, next)| *next == c).is_some();
                    let leads = !line[..at].trim_end().is_empty();
                    let ends = line[at..].trim_end_matches([';', ' ']).is_empty();
                    let separates = match c {
                        '&' => again,
                        '|' => before != '>',
                        _ => !ends,
                    };
                    if leads && separates {
                        found.push(at);
                    }
                }
                _ => {}
            }
            before = c;
        }
        breaks.extend(kept(line, &found).map(|at| start + at));
    }
    breaks
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

fn kept<'a>(line: &str, found: &'a [usize]) -> impl Iterator<Item = usize> + use<'a> {
    let is_long = line.trim_end().chars().count() > SHORT;
    found.iter().copied().filter(move |_| is_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a command as they are seen.
    fn seen(command: &str) -> Vec<&str> {
        let mut at = 0;
        let mut lines = Vec::new();
        for stop in breaks(command).into_iter().chain([command.len()]) {
            lines.push(command[at..stop].trim_end());
            at = stop;
        }
        lines
    }

    #[test]
    fn each_command_of_a_long_line_has_a_line() {
        let command = "find . -name '*.log' -mtime +30 -print0 | xargs -0 gzip -9 && rm -rf ./archive; curl -s https://a.example || true";
        let expected = [
            "find . -name '*.log' -mtime +30 -print0",
            "| xargs -0 gzip -9",
            "&& rm -rf ./archive",
            "; curl -s https://a.example",
            "|| true",
        ];
        assert_eq!(seen(command), expected);
        assert_eq!(seen("ls | wc -l && pwd"), ["ls | wc -l && pwd"]);
    }

    #[test]
    fn what_is_quoted_or_said_is_not_broken() {
        let long = "x".repeat(SHORT);
        for command in [
            format!("echo \"a && b | \\\" ; c\" '| ;' {long}"),
            format!("echo a\\|b >| {long} 2>&1 &"),
            format!("true {long} # and | then ; that"),
            format!("cat <<EOF {long}\na | b {long}\nEOF"),
            format!("true {long} ;"),
            format!("  | true {long}"),
        ] {
            assert_eq!(seen(&command), [command.as_str()]);
        }
        // What begins in a line may end in the next one.
        let quoted = format!("echo 'a\nb | c {long}' && rm {long}");
        assert_eq!(
            seen(&quoted),
            [&quoted[..quoted.find(" &&").unwrap()], &quoted[quoted.find("&&").unwrap()..]]
        );
    }

    #[test]
    fn the_text_stays_as_it_came() {
        let command = "echo <b>\n".repeat(40);
        let html = html(&command);
        assert!(html.starts_with("<pre class=\"command\" data-language=\"sh\" data-lines=\"40\">"));
        let (shown, rest) = html.split_once("<span class=\"rest\">").unwrap();
        assert!(shown.ends_with("echo &lt;b&gt;"), "{shown}");
        assert!(rest.starts_with("\necho "), "{rest}");
        let few = "echo\n".repeat(15);
        assert!(!super::html(&few).contains("rest"));
    }
}
