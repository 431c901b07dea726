//! The one list of what the system must have, and for what.
//!
//! Debian's names are installed; Fedora's and Arch's are only shown, as a help.

pub(crate) struct Package {
    pub(crate) debian: &'static str,
    pub(crate) fedora: &'static str,
    pub(crate) arch: &'static str,
    /// How to see that it is there on a system without dpkg.
    pub(crate) sign: Sign,
}

pub(crate) enum Sign {
    Program(&'static str),
    Library(&'static str),
    /// Nothing to look for: it is named with the rest, but not missed.
    Nothing,
}

/// To compile both programs, and to run them.
pub(crate) const BUILD: &[Package] = &[
    package("build-essential", "gcc", "base-devel", Sign::Program("cc")),
    package("pkg-config", "pkgconf-pkg-config", "pkgconf", Sign::Program("pkg-config")),
    package("libdbus-1-dev", "dbus-devel", "dbus", Sign::Library("dbus-1")),
    package("libgtk-3-dev", "gtk3-devel", "gtk3", Sign::Library("gtk+-3.0")),
    package(
        "libwebkit2gtk-4.1-dev",
        "webkit2gtk4.1-devel",
        "webkit2gtk-4.1",
        Sign::Library("webkit2gtk-4.1"),
    ),
    // Loaded when the tray is shown, so only its file is needed, not what one compiles with.
    package(
        "libayatana-appindicator3-1",
        "libayatana-appindicator-gtk3",
        "libayatana-appindicator",
        Sign::Nothing,
    ),
];

/// To show the window where there is no display, to press its keys and to take its picture.
pub(crate) const DISPLAY: &[Package] = &[
    package("xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb", Sign::Program("Xvfb")),
    package("openbox", "openbox", "openbox", Sign::Program("openbox")),
    package("xdotool", "xdotool", "xdotool", Sign::Program("xdotool")),
    package("x11-utils", "xprop", "xorg-xprop", Sign::Program("xprop")),
    package("dbus", "dbus-daemon", "dbus", Sign::Program("dbus-daemon")),
    package("imagemagick", "ImageMagick", "imagemagick", Sign::Program("import")),
    package("fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu", Sign::Nothing),
];

/// What the tests need beyond [`DISPLAY`].
pub(crate) const TEST: &[Package] = &[
    package("appstream", "appstream", "appstream", Sign::Program("appstreamcli")),
    package("at-spi2-core", "at-spi2-core", "at-spi2-core", Sign::Nothing),
    package("bsdutils", "util-linux-script", "util-linux", Sign::Program("script")),
    package(
        "desktop-file-utils",
        "desktop-file-utils",
        "desktop-file-utils",
        Sign::Program("desktop-file-validate"),
    ),
    package("dunst", "dunst", "dunst", Sign::Program("dunst")),
    package("fish", "fish", "fish", Sign::Program("fish")),
    package("fonts-noto-cjk", "google-noto-sans-cjk-fonts", "noto-fonts-cjk", Sign::Nothing),
    package("grim", "grim", "grim", Sign::Program("grim")),
    package("libgtk-3-bin", "gtk3", "gtk3", Sign::Program("gtk-launch")),
    package("openssh-client", "openssh-clients", "openssh", Sign::Program("ssh")),
    package("openssh-server", "openssh-server", "openssh", Sign::Nothing),
    package("python3", "python3", "python", Sign::Program("python3")),
    package("python3-venv", "python3", "python", Sign::Nothing),
    package("strace", "strace", "strace", Sign::Program("strace")),
    package("sway", "sway", "sway", Sign::Program("sway")),
    package("tmux", "tmux", "tmux", Sign::Program("tmux")),
    package("util-linux", "util-linux", "util-linux", Sign::Program("setpriv")),
    package(
        "webkit2gtk-driver",
        "/usr/bin/WebKitWebDriver",
        "webkit2gtk-4.1",
        Sign::Program("WebKitWebDriver"),
    ),
    package("wtype", "wtype", "wtype", Sign::Program("wtype")),
    package("x11-utils", "xev", "xorg-xev", Sign::Program("xev")),
    package("zsh", "zsh", "zsh", Sign::Program("zsh")),
];

/// To compile what the fuzz targets stand on.
pub(crate) const FUZZ: &[Package] = &[package("g++", "gcc-c++", "gcc", Sign::Program("c++"))];

/// What the torture needs beyond [`TEST`]: a clock that can jump, and a tray host.
pub(crate) const TORTURE: &[Package] = &[
    package("libfaketime", "libfaketime", "libfaketime", Sign::Nothing),
    package("dbus-tests", "dbus-tools", "dbus", Sign::Program("dbus-test-tool")),
];

/// To make packages: of Debian's and of Fedora's.
pub(crate) const PACKAGE: &[Package] = &[
    package("dpkg-dev", "dpkg-dev", "dpkg", Sign::Program("dpkg-shlibdeps")),
    package("rpm", "rpm-build", "rpm-tools", Sign::Program("rpmbuild")),
];

/// To run the tests of `ui/`, and what else runs on it.
pub(crate) const NODE: &[Package] = &[package("nodejs", "nodejs", "nodejs", Sign::Program("node"))];

/// To install what runs on [`NODE`].
pub(crate) const NPM: &[Package] = &[package("npm", "npm", "npm", Sign::Program("npm"))];

/// To compare with.
pub(crate) const BENCH: &[Package] =
    &[package("zenity", "zenity", "zenity", Sign::Program("zenity"))];

/// So that the screenshots look as on a common desktop, and can be in Chinese.
pub(crate) const SCREENSHOTS: &[Package] = &[
    package("fonts-cantarell", "abattis-cantarell-fonts", "cantarell-fonts", Sign::Nothing),
    package("fonts-noto-cjk", "google-noto-sans-cjk-fonts", "noto-fonts-cjk", Sign::Nothing),
];

pub(crate) const ICONS: &[Package] =
    &[package("librsvg2-bin", "librsvg2-tools", "librsvg", Sign::Program("rsvg-convert"))];

const fn package(
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
    sign: Sign,
) -> Package {
    Package { debian, fedora, arch, sign }
}
