//! What goes where: the one list that the packages are made from.

use std::path::{Path, PathBuf};

use super::made::Made;
use crate::place;

pub(super) struct Item {
    pub(super) from: PathBuf,
    /// From the root of the system that it is installed in.
    pub(super) to: String,
    pub(super) mode: u32,
}

/// What an administrator may change, so that the next version leaves it as it is.
pub(super) const SETTINGS: &str = "etc/xdg/autostart/Askdeck.desktop";

const PROGRAM: u32 = 0o755;
const FILE: u32 = 0o644;

/// Files of the repository.
const FILES: [(&str, &str); 11] = [
    ("packaging/askdeck-desktop.desktop", "usr/share/applications/askdeck-desktop.desktop"),
    // By the name that a person's own entry has, which then takes its place.
    ("packaging/autostart.desktop", SETTINGS),
    (
        "packaging/dev.askdeck.desktop.metainfo.xml",
        "usr/share/metainfo/dev.askdeck.desktop.metainfo.xml",
    ),
    ("icons/32x32.png", "usr/share/icons/hicolor/32x32/apps/askdeck-desktop.png"),
    ("icons/64x64.png", "usr/share/icons/hicolor/64x64/apps/askdeck-desktop.png"),
    ("icons/128x128.png", "usr/share/icons/hicolor/128x128/apps/askdeck-desktop.png"),
    ("icons/128x128@2x.png", "usr/share/icons/hicolor/256x256/apps/askdeck-desktop.png"),
    ("icons/icon.svg", "usr/share/icons/hicolor/scalable/apps/askdeck-desktop.svg"),
    ("packaging/copyright", "usr/share/doc/askdeck/copyright"),
    ("LICENSE-MIT", "usr/share/doc/askdeck/LICENSE-MIT"),
    ("LICENSE-APACHE", "usr/share/doc/askdeck/LICENSE-APACHE"),
];

pub(super) fn debian(programs: &Path, made: &Made) -> Vec<Item> {
    with(programs, made, "usr/share/zsh/vendor-completions")
}

pub(super) fn fedora(programs: &Path, made: &Made) -> Vec<Item> {
    with(programs, made, "usr/share/zsh/site-functions")
}

/// The distributions differ in where zsh looks.
fn with(programs: &Path, made: &Made, zsh: &str) -> Vec<Item> {
    let mut items: Vec<_> = ["askdeck", "askdeck-desktop"]
        .map(|name| Item {
            from: programs.join(name),
            to: format!("usr/bin/{name}"),
            mode: PROGRAM,
        })
        .into();
    items.extend(FILES.map(|(from, to)| file(place::root().join(from), to.into())));
    items.extend(made.pages.iter().map(|page| {
        let name = page.file_name().unwrap_or_default().display();
        file(page.clone(), format!("usr/share/man/man1/{name}"))
    }));
    let completions = [
        (&made.bash, "usr/share/bash-completion/completions/askdeck".into()),
        (&made.fish, "usr/share/fish/vendor_completions.d/askdeck.fish".into()),
        (&made.zsh, format!("{zsh}/_askdeck")),
    ];
    items.extend(completions.map(|(from, to)| file(from.clone(), to)));
    items
}

fn file(from: PathBuf, to: String) -> Item {
    Item { from, to, mode: FILE }
}
