// The only file of the history that calls Rust.

const { invoke } = window.__TAURI__.core;

/** The interface's words, and their language. */
export const words = () => invoke('words');
/** There is something to show. */
export const drawn = () => invoke('drawn');
/** Past dialogs, newest first: those that fit `{ search, agent, project, before, limit }`. */
export const search = (newest) => invoke('search', { newest });
/** Who has asked, from where, and what happened on each day between two times. */
export const overview = (span) => invoke('overview', span);
/** Deletes `{ tickets }` or those `{ matching }` a filter; a preview only tells what that would come to. */
export const remove = (which, preview = false) => invoke('delete', { which, preview });
export const copy = (text) => invoke('copy', { text });
export const openLink = (address) => invoke('open_link', { address });
export const close = () => invoke('close');
