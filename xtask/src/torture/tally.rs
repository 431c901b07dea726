//! What is counted.

use std::collections::BTreeMap;

use super::fault::Fault;

/// Of one round, or of several.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) asked: u32,
    pub(super) sent: u32,
    pub(super) accepted: u32,
    pub(super) delivered: u32,
    /// Accepted, delivered to nobody, and still to be had.
    pub(super) redeemable: u32,
    /// Accepted, and gone with a file that was damaged or could not be written.
    pub(super) gone_with_the_file: u32,
    pub(super) letters: usize,
    pub(super) letters_lost: usize,
    pub(super) drafts_checked: u32,
    pub(super) faults: BTreeMap<Fault, u32>,
    /// How often there was nothing to strike.
    pub(super) missed: BTreeMap<Fault, u32>,
    /// What cannot be done here, and why.
    pub(super) left_out: BTreeMap<Fault, &'static str>,
    pub(super) codes: BTreeMap<i32, u32>,
    pub(super) breaks: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.sent += other.sent;
        self.accepted += other.accepted;
        self.delivered += other.delivered;
        self.redeemable += other.redeemable;
        self.gone_with_the_file += other.gone_with_the_file;
        self.letters += other.letters;
        self.letters_lost += other.letters_lost;
        self.drafts_checked += other.drafts_checked;
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        for (fault, count) in other.missed {
            *self.missed.entry(fault).or_default() += count;
        }
        self.left_out.extend(other.left_out);
        for (code, count) in other.codes {
            *self.codes.entry(code).or_default() += count;
        }
        self.breaks.extend(other.breaks);
    }
}
