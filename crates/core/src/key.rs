//! The key by which two questions are known to be one, and the owner of a question.
//!
//! A key that a caller gives, one that is made from a question, and those of callers on other
//! machines begin with words of their own, so that no text can pass for one of another kind.

use sha2::{Digest, Sha256};

use crate::dialog::{Caller, Dialog};

const GIVEN: &str = "given:";
const MADE: &str = "made:";
const REMOTE: &str = "remote:";
const LEFT: &str = "left:";

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionKey(String);

impl QuestionKey {
    /// A key that the caller has chosen.
    pub fn given(text: &str) -> Self {
        Self(format!("{GIVEN}{text}"))
    }

    /// The same caller with the same questions has the same key, whatever process asks for it.
    pub fn made(dialog: &Dialog) -> Self {
        let Caller { agent, session, cwd, host, pid: _, program: _, origin: _ } = &dialog.caller;
        let Dialog { title, message, questions, form, dialect, .. } = dialog;
        let asked = serde_json::json!([
            agent, session, cwd, host, title, message, questions, form, dialect
        ]);
        Self(format!("{MADE}{:x}", Sha256::digest(asked.to_string())))
    }

    /// As it was kept.
    pub fn kept(text: String) -> Self {
        Self(text)
    }

    /// The same for questions of this caller on another machine.
    #[must_use]
    pub fn of(self, Owner(owner): &Owner) -> Self {
        Self(format!("{REMOTE}{owner}:{}", self.0))
    }

    /// The key of an open question from the time on when another one was asked with its key, by a desk
    /// that could not read it.
    #[must_use]
    pub fn left_by(&self, ticket: &str) -> Self {
        Self(format!("{LEFT}{ticket} {}", self.first()))
    }

    /// Whether two questions were asked with the same key.
    pub fn is_same(&self, other: &Self) -> bool {
        self.first() == other.first()
    }

    /// As it was when the question was asked. No ticket has a blank in it.
    fn first(&self) -> &str {
        let left = self.0.strip_prefix(LEFT).and_then(|rest| rest.split_once(' '));
        left.map_or(&self.0, |(_, first)| first)
    }

    pub fn is_of(&self, Owner(owner): &Owner) -> bool {
        let remote = self.first().strip_prefix(REMOTE).and_then(|rest| rest.split_once(':'));
        remote.is_some_and(|(whose, _)| whose == owner)
    }

    /// Whether its question was asked on another machine.
    pub fn is_remote(&self) -> bool {
        self.first().starts_with(REMOTE)
    }

    /// As it is kept.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A caller on another machine. It has no colon in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner(String);

impl Owner {
    /// The caller that knows this secret.
    pub fn of_secret(secret: &str) -> Self {
        Self(format!("{:x}", Sha256::digest(secret)))
    }

    /// A caller that tells no secret, by a unique name, which is no hash.
    pub fn nameless(name: String) -> Self {
        Self(name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_local_key_is_of_an_owner(text in ".*", secret in ".*") {
            let owner = Owner::of_secret(&secret);
            let given = QuestionKey::given(&text);
            prop_assert!(!given.is_of(&owner) && given.clone().of(&owner).is_of(&owner));
            // One that has the very words of the owner's.
            let QuestionKey(owned) = given.clone().of(&owner);
            for local in [QuestionKey::given(&owned), QuestionKey::given(&owner.0), QuestionKey::given(&format!("{} x", owner.0))] {
                prop_assert!(!local.is_of(&owner));
                prop_assert_ne!(&local, &given.clone().of(&owner));
            }
        }

        #[test]
        fn keys_of_two_owners_differ(text in ".*", one in ".*", other in ".*") {
            prop_assume!(one != other);
            let (one, other) = (Owner::of_secret(&one), Owner::of_secret(&other));
            let (own, theirs) = (QuestionKey::given(&text).of(&one), QuestionKey::given(&text).of(&other));
            prop_assert!(own != theirs && !own.is_of(&other) && !theirs.is_of(&one));
        }
    }
}
