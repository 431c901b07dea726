// The only file of the history that calls Rust.

/** @import { Newest, Selection } from '../tests/types/page' */

const { invoke } = window.__TAURI__.core;

/** The interface's words, and their language. */
export const words = () => invoke('words');
/** There is something to show. */
export const drawn = () => invoke('drawn');
/**
 * Past dialogs, newest first: those that fit.
 * @param {Newest} newest
 */
export const search = (newest) => invoke('search', { newest });
/**
 * Who has asked, from where, and what happened on each day between two times.
 * @param {{ since: number, until: number }} span
 */
export const overview = (span) => invoke('overview', span);
/**
 * Deletes past dialogs for good; a preview only tells what that would come to.
 * @param {Selection} which
 */
export const remove = (which, preview = false) => invoke('delete', { which, preview });
/** @param {string} text */
export const copy = (text) => invoke('copy', { text });
/** @param {string} address */
export const openLink = (address) => invoke('open_link', { address });
export const close = () => invoke('close');
