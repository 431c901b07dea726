// The only file of the history that calls Rust.

/** @import { Filter } from '../tests/types/page' */

const { invoke } = window.__TAURI__.core;

/** The interface's words, and their language. */
export const words = () => invoke('words');
/** There is something to show. */
export const drawn = () => invoke('drawn');
/**
 * Past dialogs, newest first: those that fit.
 * @param {Filter} filter
 */
export const search = (filter) => invoke('search', { filter });
/**
 * Who has asked, from where, and what happened on each day between two times.
 * @param {{ since: number, until: number }} span
 */
export const overview = (span) => invoke('overview', span);
/** @param {string} text */
export const copy = (text) => invoke('copy', { text });
/** @param {string} address */
export const openLink = (address) => invoke('open_link', { address });
export const close = () => invoke('close');
