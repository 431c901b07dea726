//! `askdeck install` and `askdeck uninstall`: the change is shown, agreed to, and made.

use std::path::PathBuf;

use askdeck_core::text;
use askdeck_desk::paths;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::{
    CliError,
    agree::{DECLINED, can_ask, is_agreed, show},
    print, tell,
};
use crate::install::{Change, Client, ConfigFile, InstallError};

#[derive(Args)]
pub(super) struct InstallArgs {
    /// Agent to connect; `agents-md` adds a paragraph to ./AGENTS.md for agents that only have a shell
    #[arg(value_name = "CLIENT", value_parser = targets())]
    target: Target,
    /// With `agents-md`, the file to use instead of AGENTS.md or CLAUDE.md
    file: Option<PathBuf>,
    /// Write without asking
    #[arg(long, conflicts_with = "print")]
    yes: bool,
    /// Print what would change, and write nothing
    #[arg(long)]
    print: bool,
}

#[derive(Clone, Copy)]
enum Target {
    Client(Client),
    Project,
}

const PROJECT: &str = "agents-md";

fn targets() -> impl TypedValueParser<Value = Target> {
    let names = Client::ALL.map(Client::name).into_iter().chain([PROJECT]);
    PossibleValuesParser::new(names).map(|name| {
        let client = Client::ALL.into_iter().find(|client| client.name() == name);
        client.map_or(Target::Project, Target::Client)
    })
}

pub(super) fn install(args: InstallArgs) -> Result<u8, CliError> {
    let program = paths::program().and_then(|path| path.to_str().map(str::to_owned));
    let program = program.ok_or(InstallError::NoProgram)?;
    let outlook = match args.target {
        Target::Client(client) => {
            format!("{} asks through Askdeck once it is restarted", client.title())
        }
        Target::Project => "agents that read the file know how to ask".into(),
    };
    let (how, target) = (args.how(), args.target);
    let changes = changes(&args.config_files()?, |file| file.install(&program))?;
    let code = make(&changes, how, &format!("nothing to do: {outlook}"), &outlook)?;
    if let (Target::Client(client), true) = (target, code == 0 && how != How::Print) {
        client.still_to_do()?.iter().for_each(|rest| tell(rest));
    }
    Ok(code)
}

pub(super) fn uninstall(args: InstallArgs) -> Result<u8, CliError> {
    let how = args.how();
    let config_files = args.config_files()?;
    let paths: Vec<_> =
        config_files.iter().map(|file| format!("`{}`", file.path().display())).collect();
    let nothing = format!("nothing to do: Askdeck is not in {}", paths.join(" or "));
    make(
        &changes(&config_files, ConfigFile::uninstall)?,
        how,
        &nothing,
        "removed what `askdeck install` wrote",
    )
}

impl InstallArgs {
    fn how(&self) -> How {
        match (self.print, self.yes) {
            (true, _) => How::Print,
            (false, true) => How::Unasked,
            (false, false) => How::Asked,
        }
    }

    fn config_files(self) -> Result<Vec<ConfigFile>, CliError> {
        match (self.target, self.file) {
            (Target::Client(client), None) => Ok(client.config_files()?),
            (Target::Client(client), Some(_)) => Err(CliError::NoFile(client.name())),
            (Target::Project, file) => Ok(vec![ConfigFile::in_project(file)]),
        }
    }
}

/// All of them are known before the first is made: one that cannot be made leaves all as it is.
fn changes(
    config_files: &[ConfigFile],
    change: impl Fn(&ConfigFile) -> Result<Option<Change>, InstallError>,
) -> Result<Vec<Change>, InstallError> {
    config_files.iter().filter_map(|file| change(file).transpose()).collect()
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Print,
    Asked,
    Unasked,
}

fn make(changes: &[Change], how: How, nothing: &str, done: &str) -> Result<u8, CliError> {
    if changes.is_empty() {
        tell(nothing);
        return Ok(0);
    }
    let diff: String = changes.iter().map(Change::diff).collect();
    if how == How::Print {
        return print(&diff).map(|()| 0);
    }
    if how == How::Asked && !can_ask() {
        return Err(CliError::NotAsked);
    }
    // The files may hold what others wrote.
    show(&text::clean(&diff));
    for folder in changes.iter().filter_map(Change::new_folder) {
        tell(&format!("`{}` does not exist yet and will be created", folder.display()));
    }
    if how == How::Asked && !is_agreed("Write this?") {
        tell("nothing was changed");
        return Ok(DECLINED);
    }
    for change in changes {
        tell(&change.make()?);
    }
    tell(done);
    Ok(0)
}
