//! The secret by which an app on another machine knows the questions of this user again.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    sync::OnceLock,
};

use crate::{files, paths, ticket};

const LONGEST: u64 = 1024;

/// The same for every process of this user here. Where it cannot be kept, each has its own.
pub(super) fn secret() -> &'static str {
    static SECRET: OnceLock<String> = OnceLock::new();
    SECRET.get_or_init(|| {
        let kept = paths::owner().and_then(|file| kept(&file).ok());
        kept.or_else(|| fresh().ok()).unwrap_or_else(ticket::fresh)
    })
}

fn kept(file: &Path) -> io::Result<String> {
    if let Ok(secret) = files::read(file, LONGEST) {
        return Ok(secret);
    }
    if let Some(folder) = file.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    // Whole at once, and only where there is none: two may start at the same moment.
    let secret = fresh()?;
    let new = file.with_extension(&secret[..8]);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?
        .write_all(secret.as_bytes())?;
    fs::hard_link(&new, file).ok(); // It may be there already.
    fs::remove_file(&new)?;
    files::read(file, LONGEST)
}

fn fresh() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_is_the_persons_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/owner");
        let secret = kept(&file).unwrap();
        assert_eq!(secret.len(), 32);
        assert_eq!(kept(&file).unwrap(), secret);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
        assert_ne!(kept(&folder.path().join("other")).unwrap(), secret);
    }
}
