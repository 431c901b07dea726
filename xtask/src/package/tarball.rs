//! The command alone, for servers: one static program that needs nothing of the system.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::{contents::Item, lay_out, made::Made, said};
use crate::{Result, place};

pub(super) fn build(programs: &Path, made: &Made, work: &Path) -> Result<PathBuf> {
    let name = format!("askdeck-{}-{}-linux", made.version, std::env::consts::ARCH);
    let item = |from: PathBuf, to: &str, mode| Item { from, to: format!("{name}/{to}"), mode };
    let mut items = vec![
        item(programs.join("static/askdeck"), "askdeck", 0o755),
        item(place::root().join("LICENSE-MIT"), "LICENSE-MIT", 0o644),
        item(place::root().join("LICENSE-APACHE"), "LICENSE-APACHE", 0o644),
        item(made.bash.clone(), "completions/askdeck.bash", 0o644),
        item(made.fish.clone(), "completions/askdeck.fish", 0o644),
        item(made.zsh.clone(), "completions/_askdeck", 0o644),
    ];
    let pages = made.pages.iter().filter_map(|page| Some((page, page.file_name()?.to_str()?)));
    items.extend(
        pages
            .filter(|(_, page)| !page.starts_with("askdeck-desktop."))
            .map(|(path, page)| item(path.clone(), &format!("man/man1/{page}"), 0o644)),
    );
    lay_out(&items, &work.join("files"))?;
    let archive = work.join(format!("{name}.tar.gz"));
    said(
        Command::new("tar")
            .args(["--create", "--gzip", "--sort=name", "--owner=root:0", "--group=root:0"])
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(work.join("files"))
            .arg(&name),
    )?;
    Ok(archive)
}
