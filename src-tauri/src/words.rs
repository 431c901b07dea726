//! The words of the interface, in each language; window and terminal say the same.

use std::collections::BTreeMap;

pub type Words = BTreeMap<String, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Portuguese,
    Chinese,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::English, Self::Portuguese, Self::Chinese];

    /// The language of a POSIX locale such as `pt_BR.UTF-8`.
    pub fn of_locale(locale: &str) -> Self {
        match locale.get(..2) {
            Some("pt") => Self::Portuguese,
            Some("zh") => Self::Chinese,
            _ => Self::English,
        }
    }

    /// As HTML's `lang` has it; it also chooses the right glyphs for Chinese.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Portuguese => "pt-BR",
            Self::Chinese => "zh-CN",
        }
    }

    pub fn words(self) -> Words {
        let json = match self {
            Self::English => include_str!("words/en.json"),
            Self::Portuguese => include_str!("words/pt-BR.json"),
            Self::Chinese => include_str!("words/zh-CN.json"),
        };
        serde_json::from_str(json).expect("a test reads every language")
    }
}

/// The words of `key` with each `{name}` filled in.
pub fn say<'a>(
    words: &Words,
    key: &str,
    values: impl IntoIterator<Item = (&'a str, String)>,
) -> String {
    let text = words.get(key).cloned().unwrap_or_else(|| key.to_owned());
    values
        .into_iter()
        .fold(text, |text, (name, value)| text.replace(&format!("{{{name}}}"), &value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<&str> {
        let mut found: Vec<_> = text
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'))
            .map(|(name, _)| name)
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_language_says_the_same_things() {
        let english = Language::English.words();
        for language in Language::ALL {
            let words = language.words();
            assert_eq!(
                words.keys().collect::<Vec<_>>(),
                english.keys().collect::<Vec<_>>(),
                "{language:?}"
            );
            for (key, text) in &words {
                assert_eq!(placeholders(text), placeholders(&english[key]), "{language:?}: {key}");
            }
        }
    }

    #[test]
    fn locales_choose_their_language() {
        assert_eq!(Language::of_locale("pt_BR.UTF-8"), Language::Portuguese);
        assert_eq!(Language::of_locale("zh_CN"), Language::Chinese);
        assert_eq!(Language::of_locale("C"), Language::English);
        assert_eq!(Language::of_locale(""), Language::English);
    }

    #[test]
    fn values_go_into_their_places() {
        let words = Words::from([("at".to_owned(), "{n} of {total}".to_owned())]);
        assert_eq!(say(&words, "at", [("n", "1".into()), ("total", "3".into())]), "1 of 3");
    }
}
