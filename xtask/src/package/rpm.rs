//! The package for Fedora and its relatives.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    DETAILS, LICENCE, Profile, SUMMARY,
    contents::{Item, SETTINGS},
    lay_out,
    made::Made,
    said, write,
};
use crate::Result;

pub(super) fn build(
    profile: Profile,
    contents: &[Item],
    made: &Made,
    work: &Path,
) -> Result<PathBuf> {
    let root = work.join("files");
    lay_out(contents, &root)?;
    let spec = work.join("askdeck.spec");
    write(&spec, &describe(contents, made, &root))?;
    let top = format!("_topdir {}", work.join("top").display());
    let packing = match profile {
        Profile::Release => "_binary_payload w9.xzdio",
        Profile::Debug => "_binary_payload w1.gzdio",
    };
    let defined = ["--define", &top, "--define", packing];
    said(Command::new("rpmbuild").args(["-bb", "--quiet"]).args(defined).arg(&spec))?;
    let built = work.join("top/RPMS");
    find(&built).ok_or_else(|| format!("rpmbuild left no package in {}", built.display()))
}

/// The libraries that the programs name are found by rpmbuild, under the names that all relatives
/// of Fedora know.
fn describe(contents: &[Item], made: &Made, root: &Path) -> String {
    let files: Vec<_> = contents
        .iter()
        .map(|item| {
            let kind = match item.to.as_str() {
                SETTINGS => "%config(noreplace) ",
                to if to.starts_with("usr/share/doc/") => "%doc ",
                _ => "",
            };
            format!("{kind}%attr({:o}, root, root) /{}", item.mode, item.to)
        })
        .collect();
    format!(
        "Name: askdeck\n\
         Version: {version}\n\
         Release: 1\n\
         Summary: {SUMMARY}\n\
         License: {LICENCE}\n\
         Recommends: libayatana-appindicator-gtk3\n\
         %global debug_package %{{nil}}\n\
         %global _build_id_links none\n\
         %global __os_install_post %{{nil}}\n\
         \n\
         %description\n\
         {details}\n\
         \n\
         %install\n\
         cp --archive '{root}/.' '%{{buildroot}}'\n\
         \n\
         %files\n\
         %dir %attr(755, root, root) /usr/share/doc/askdeck\n\
         {files}\n",
        version = made.version,
        details = DETAILS.join("\n"),
        root = root.display(),
        files = files.join("\n"),
    )
}

/// It lies in a folder with the name of the processor.
fn find(folder: &Path) -> Option<PathBuf> {
    let folders = fs::read_dir(folder).ok()?.flatten();
    folders
        .flat_map(|folder| fs::read_dir(folder.path()))
        .flatten()
        .flatten()
        .map(|f| f.path())
        .next()
}
