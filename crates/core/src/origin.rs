//! Where a caller comes from, as the kernel tells it: what a caller says of itself may differ in each
//! message, and a process may ask once and end.

/// Nothing of it is the caller's to choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The process was gone before it could be looked up, or asked an app that is gone.
    #[default]
    Unknown,
    /// A terminal, by the session that runs in it.
    Terminal(u32),
    /// A program without a terminal, with all that it has started.
    Program(u32),
    /// The process that forwards the socket to another machine.
    Link(u32),
    /// All containers that have the socket for other machines.
    Containers,
}
