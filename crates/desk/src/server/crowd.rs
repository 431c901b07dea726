//! Counts connections, and admits another one while there is room.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard},
};

use askdeck_core::origin::Origin;
use rustix::process::{Resource, getrlimit};

use crate::limits::{self, Most};

/// All who are connected, by which way and from where they came.
#[derive(Default)]
struct Crowd {
    callers: BTreeMap<(bool, Origin), usize>,
}

static CROWD: Mutex<Crowd> = Mutex::new(Crowd { callers: BTreeMap::new() });

/// That one more was let in, as long as this lives.
pub(super) struct Admission {
    is_remote: bool,
    origin: Origin,
}

impl Admission {
    /// Lets one more in, or tells why there is no room.
    pub(super) fn ask(is_remote: bool, origin: Origin) -> Result<Self, String> {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = limits::connections(files.try_into().unwrap_or(usize::MAX), is_remote);
        lock().enter(is_remote, origin, most)?;
        Ok(Self { is_remote, origin })
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        lock().leave(self.is_remote, self.origin);
    }
}

fn lock() -> MutexGuard<'static, Crowd> {
    CROWD.lock().expect("nothing panics under this lock")
}

impl Crowd {
    fn enter(&mut self, is_remote: bool, origin: Origin, most: Most) -> Result<(), String> {
        let same_way = self.callers.iter().filter(|((remote, _), _)| *remote == is_remote);
        let all: usize = same_way.map(|(_, count)| count).sum();
        let one = self.callers.get(&(is_remote, origin)).copied().unwrap_or_default();
        let why = if one >= most.of_one {
            format!("one caller may have at most {} open", most.of_one)
        } else if all >= most.of_all {
            let from = if is_remote { "other machines and containers" } else { "this machine" };
            format!("at most {} may be open from {from}", most.of_all)
        } else {
            self.callers.insert((is_remote, origin), one + 1);
            return Ok(());
        };
        Err(format!("too many connections: {why}; close one and try again"))
    }

    fn leave(&mut self, is_remote: bool, origin: Origin) {
        if let Some(count) = self.callers.get_mut(&(is_remote, origin)) {
            *count -= 1;
            if *count == 0 {
                self.callers.remove(&(is_remote, origin));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_limits_keep_out_no_other_caller() {
        let most = Most { of_one: 2, of_all: 3 };
        let mut crowd = Crowd::default();
        let (one, other) = (Origin::Terminal(1), Origin::Terminal(2));
        for _ in 0..2 {
            assert_eq!(crowd.enter(false, one, most), Ok(()));
        }
        let refused = crowd.enter(false, one, most).unwrap_err();
        assert_eq!(
            refused,
            "too many connections: one caller may have at most 2 open; close one and try again"
        );
        assert_eq!(crowd.enter(false, other, most), Ok(()));
        let refused = crowd.enter(false, other, most).unwrap_err();
        assert!(refused.contains("at most 3 may be open from this machine"), "{refused}");
        for _ in 0..2 {
            assert_eq!(crowd.enter(true, Origin::Containers, most), Ok(()));
        }
        crowd.leave(false, one);
        assert_eq!(crowd.enter(false, other, most), Ok(()));
    }
}
