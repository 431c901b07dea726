//! A mouse for a compositor that has none: a client of its protocol for virtual pointers.
//!
//! While it is there, the compositor tells its windows about a mouse, and `swaymsg` moves it. No
//! program that comes with the system does that, so this one speaks the four sentences itself.

use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::Path,
};

pub(super) struct Mouse {
    _connection: UnixStream,
}

/// Objects, by the numbers that a client gives them. Only the first is fixed.
const DISPLAY: u32 = 1;
const REGISTRY: u32 = 2;
const MANAGER: u32 = 3;
const POINTER: u32 = 4;

const MANAGER_INTERFACE: &str = "zwlr_virtual_pointer_manager_v1";

impl Mouse {
    pub(super) fn plug_in(socket: &Path) -> Self {
        let mut connection = UnixStream::connect(socket).expect("the compositor listens");
        let (get_registry, bind, create_pointer) = (1, 0, 0);
        say(&mut connection, DISPLAY, get_registry, &[REGISTRY]);
        let number = number_of_manager(&mut connection);
        let mut words = vec![number];
        words.extend(text(MANAGER_INTERFACE));
        let version = 1;
        words.extend([version, MANAGER]);
        say(&mut connection, REGISTRY, bind, &words);
        let any_seat = 0;
        say(&mut connection, MANAGER, create_pointer, &[any_seat, POINTER]);
        Self { _connection: connection }
    }
}

/// A message: object, length with opcode, and what belongs to it.
fn say(connection: &mut UnixStream, object: u32, opcode: u32, words: &[u32]) {
    let length = u32::try_from(8 + 4 * words.len()).expect("messages are short");
    let message: Vec<u8> = [object, (length << 16) | opcode]
        .iter()
        .chain(words)
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    connection.write_all(&message).expect("the compositor reads");
}

/// A text with its length and the zero at its end, filled up to whole words.
fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let length = u32::try_from(bytes.len()).expect("names are short");
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let words = bytes.chunks_exact(4).map(|word| word.try_into().map_or(0, u32::from_ne_bytes));
    [length].into_iter().chain(words).collect()
}

/// The compositor lists what it has; each as number, name and version.
fn number_of_manager(connection: &mut UnixStream) -> u32 {
    loop {
        let [_object, length] = read_words(connection);
        let mut body = vec![0; (length >> 16) as usize - 8];
        connection.read_exact(&mut body).expect("the compositor talks on");
        let name = body.get(8..8 + MANAGER_INTERFACE.len());
        if name == Some(MANAGER_INTERFACE.as_bytes()) {
            return body[..4].try_into().map_or(0, u32::from_ne_bytes);
        }
    }
}

fn read_words(connection: &mut UnixStream) -> [u32; 2] {
    [(); 2].map(|()| {
        let mut word = [0; 4];
        connection.read_exact(&mut word).expect("the compositor lists virtual pointers");
        u32::from_ne_bytes(word)
    })
}
