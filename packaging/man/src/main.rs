//! Writes the man pages of both programs into a folder, out of what they say about themselves.

use std::{env, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "name the folder for the man pages")
    })?;
    for program in [askdeck::command::command(), askdeck::command::app::command()] {
        clap_mangen::generate_to(program, &folder)?;
    }
    Ok(())
}
