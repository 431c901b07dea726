//! The package for Debian and its relatives.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    DETAILS, Profile, SUMMARY,
    contents::{Item, SETTINGS},
    empty, lay_out,
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
    let root = work.join("root");
    lay_out(contents, &root)?;
    let programs: Vec<_> =
        ["askdeck", "askdeck-desktop"].map(|name| root.join("usr/bin").join(name)).into();
    let arch = said(Command::new("dpkg").arg("--print-architecture"))?;
    let arch = arch.trim();
    let control = root.join("DEBIAN");
    let size = said(Command::new("du").args(["--summarize", "--apparent-size", "-k"]).arg(&root))?;
    let size = size.split_whitespace().next().unwrap_or_default();
    let sums =
        said(Command::new("md5sum").args(contents.iter().map(|i| &i.to)).current_dir(&root))?;
    // By this folder dpkg-shlibdeps knows that it looks at a package.
    empty(&control)?;
    let depends = libraries(&programs, &work.join("libraries"))?;
    write(&control.join("md5sums"), &sums)?;
    write(&control.join("conffiles"), &format!("/{SETTINGS}\n"))?;
    write(
        &control.join("control"),
        &format!(
            "Package: askdeck\n\
             Version: {version}\n\
             Architecture: {arch}\n\
             Maintainer: The Askdeck developers\n\
             Installed-Size: {size}\n\
             Depends: {depends}\n\
             Recommends: libayatana-appindicator3-1\n\
             Section: utils\n\
             Priority: optional\n\
             Description: {SUMMARY}\n {details}\n",
            version = made.version,
            details = DETAILS.join("\n "),
        ),
    )?;
    let package = work.join(format!("askdeck_{}_{arch}.deb", made.version));
    let packing = match profile {
        Profile::Release => ["-Zxz", "-z9"],
        Profile::Debug => ["-Zgzip", "-z1"],
    };
    said(
        Command::new("dpkg-deb")
            .args(packing)
            .args(["--root-owner-group", "--build"])
            .args([&root, &package]),
    )?;
    Ok(package)
}

/// The packages that have the libraries which the programs name, as the system knows them.
fn libraries(programs: &[PathBuf], folder: &Path) -> Result<String> {
    // It wants to stand in the source of a package.
    fs::create_dir_all(folder.join("debian"))
        .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    write(
        &folder.join("debian/control"),
        "Source: askdeck\n\nPackage: askdeck\nArchitecture: any\n",
    )?;
    let told = said(Command::new("dpkg-shlibdeps").arg("-O").args(programs).current_dir(folder))?;
    let depends = told.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    depends.map(str::to_owned).ok_or_else(|| format!("dpkg-shlibdeps told no libraries: {told}"))
}
