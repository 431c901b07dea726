// What the tabs, or the menu in their place, tell of each page.

/** @import { Page, View } from '../tests/types/page' */

/**
 * The place of a question's page; after all of them comes the review.
 * @param {Page[]} pages
 * @param {number} step
 */
export function pageOf(pages, step) {
  const page = pages.findIndex(({ start, end }) => start <= step && step < end);
  return page < 0 ? pages.length : page;
}

/**
 * The first question of a page, or the step of the review.
 * @param {Page[]} pages
 * @param {number} page
 */
export const stepOf = (pages, page) => pages[page]?.start ?? pages[pages.length - 1].end;

/**
 * How far a page is; the review, after all pages, is never done.
 * @param {View} view
 * @param {number} page
 */
export const progressOf = (view, page) => view.pages[page] ?? 'open';
