//! How much callers may take, so that none of them is in the way of another.

use askdeck_core::payload;

/// What the app itself needs: its window, its data file, its folders.
const OWN_FILES: usize = 256;

/// Far more than needed. Each may have sent half of the largest message, which is in memory then.
const MOST_CONNECTIONS: usize = 4_096;

const MIB: usize = 1024 * 1024;

/// How many calls that wait for the person may be unanswered on one connection.
pub const WAITS: usize = 1_000;
/// How many other calls may be.
pub const CALLS: usize = 64;

/// The most of something that one caller may have, and all who come the same way together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    pub of_one: usize,
    pub of_all: usize,
}

/// How many connections may be open, in a process that may have so many files open. Each way has a
/// share of its own, so that who comes from another machine never keeps out who is here.
pub fn connections(files: usize, is_remote: bool) -> Most {
    let room = files.saturating_sub(OWN_FILES).max(files / 4).min(MOST_CONNECTIONS);
    let of_all = if is_remote { room / 4 } else { room - room / 4 };
    Most { of_one: of_all / 2, of_all }
}

/// How many questions may be open.
pub fn questions(is_remote: bool) -> Most {
    if is_remote {
        Most { of_one: 500, of_all: 1_000 }
    } else {
        Most { of_one: 5_000, of_all: 10_000 }
    }
}

/// How many bytes the open questions may have.
pub fn bytes(is_remote: bool) -> Most {
    if is_remote {
        Most { of_one: 16 * MIB, of_all: 32 * MIB }
    } else {
        Most { of_one: 64 * MIB, of_all: 256 * MIB }
    }
}

// A question of the largest size must always fit.
const _: () = assert!(payload::MAX_BYTES <= 16 * MIB);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_limits_leave_files_for_the_app() {
        for files in [0, 1, 64, 256, 1_024, 16_384, 1_048_576] {
            let (here, elsewhere) = (connections(files, false), connections(files, true));
            assert!(
                here.of_all + elsewhere.of_all <= files.saturating_sub(OWN_FILES).max(files / 4)
            );
            assert!(here.of_one <= here.of_all && elsewhere.of_one <= elsewhere.of_all);
        }
        assert_eq!(connections(16_384, false), Most { of_one: 1_536, of_all: 3_072 });
        assert_eq!(connections(1_024, false), Most { of_one: 288, of_all: 576 });
        assert_eq!(connections(1_024, true), Most { of_one: 96, of_all: 192 });
    }
}
