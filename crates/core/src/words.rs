//! The words of the interface, in each language; window and terminal say the same.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Serialize;

use crate::session::Numbers;

pub type Words = BTreeMap<String, String>;

#[derive(Clone, Copy)]
pub struct Language {
    /// As HTML's `lang` has it; it also chooses the right glyphs for Chinese.
    pub tag: &'static str,
    pub numbers: Numbers,
    words: fn() -> &'static Words,
}

/// The words of a file, which is read when they are first needed.
macro_rules! words {
    ($file:literal) => {
        || {
            static WORDS: LazyLock<Words> = LazyLock::new(|| {
                serde_json::from_str(include_str!($file)).expect("a test reads every language")
            });
            &WORDS
        }
    };
}

impl Language {
    pub const ENGLISH: Self =
        Self { tag: "en", numbers: Numbers::Point, words: words!("words/en.json") };

    pub const ALL: [Self; 3] = [
        Self::ENGLISH,
        Self { tag: "pt-BR", numbers: Numbers::Comma, words: words!("words/pt-BR.json") },
        Self { tag: "zh-CN", numbers: Numbers::Point, words: words!("words/zh-CN.json") },
    ];

    /// The language of a POSIX locale such as `pt_BR.UTF-8`, whatever the country.
    pub fn of_locale(locale: &str) -> Self {
        let spoken = locale.split(['_', '.', '@']).next();
        let is_spoken = |language: &Self| language.tag.split('-').next() == spoken;
        Self::ALL.into_iter().find(is_spoken).unwrap_or(Self::ENGLISH)
    }

    /// The locale of the language and its country, without an encoding, such as `pt_BR`.
    pub fn locale(self) -> String {
        self.tag.replace('-', "_")
    }

    pub fn words(self) -> &'static Words {
        (self.words)()
    }
}

/// Something to say to the person, in whatever language: a key into the words, and what to fill in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Phrase {
    #[cfg_attr(feature = "types", ts(type = "Word"))]
    pub word: &'static str,
    pub values: BTreeMap<&'static str, String>,
}

impl Phrase {
    pub(crate) fn new(word: &'static str) -> Self {
        Self { word, values: BTreeMap::new() }
    }

    pub(crate) fn with<const N: usize>(
        word: &'static str,
        values: [(&'static str, impl ToString); N],
    ) -> Self {
        let values = values.into_iter().map(|(name, value)| (name, value.to_string()));
        Self { word, values: values.collect() }
    }

    pub fn say(&self, words: &Words) -> String {
        say(words, self.word, self.values.iter().map(|(name, value)| (*name, value.clone())))
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
        let english = Language::ENGLISH.words();
        for language in Language::ALL {
            let words = language.words();
            assert_eq!(
                words.keys().collect::<Vec<_>>(),
                english.keys().collect::<Vec<_>>(),
                "{}",
                language.tag
            );
            for (key, text) in words {
                let expected = placeholders(&english[key]);
                assert_eq!(placeholders(text), expected, "{}: {key}", language.tag);
            }
        }
    }

    #[test]
    fn locales_choose_their_language() {
        for (locale, tag) in [
            ("pt_BR.UTF-8", "pt-BR"),
            ("pt", "pt-BR"),
            ("zh_CN", "zh-CN"),
            ("zh.UTF-8", "zh-CN"),
            ("en_GB@euro", "en"),
            ("C.UTF-8", "en"),
            ("", "en"),
        ] {
            assert_eq!(Language::of_locale(locale).tag, tag, "{locale}");
        }
        for language in Language::ALL {
            assert_eq!(Language::of_locale(&language.locale()).tag, language.tag);
        }
    }

    #[test]
    fn the_menu_entry_is_in_every_language() {
        let entry = include_str!("../../../packaging/askdeck-desktop.desktop");
        for language in Language::ALL.into_iter().filter(|language| language.tag != "en") {
            for key in ["GenericName", "Comment"] {
                let line = format!("\n{key}[{}]=", language.locale());
                assert!(entry.contains(&line), "packaging/askdeck-desktop.desktop: no{line}");
            }
        }
    }

    #[test]
    fn values_go_into_their_places() {
        let words = Words::from([("at".to_owned(), "{n} of {total}".to_owned())]);
        assert_eq!(say(&words, "at", [("n", "1".into()), ("total", "3".into())]), "1 of 3");
    }
}
