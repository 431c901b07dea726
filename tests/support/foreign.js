// Returns whatever in the page is more than our own elements and the text in them.

const OURS = new Set(
  `a article br button code details div footer h1 h2 h3 header i input kbd label main nav option p search section select
    span summary table tbody td textarea th thead time tr`.split(/\s+/),
);

const elements = [...document.querySelectorAll('body *')];
const attributes = [...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames());
const styles = [...document.querySelectorAll('.prose [style]')].map((element) => element.getAttribute('style'));
const links = [...document.querySelectorAll('a[href]')].map((link) => link.href);
const loaded = performance.getEntriesByType('resource').map(({ name }) => name);

return [
  ...elements.map((element) => element.localName).filter((name) => !OURS.has(name)),
  ...attributes.filter((name) => name.startsWith('on')),
  ...styles,
  ...links.filter((href) => !href.startsWith('https://a.example/')),
  ...loaded.filter((name) => !/^(tauri|ipc):\/\/localhost\//.test(name)),
  ...(document.body.textContent.match(/[\0-\x08\x1b\u061c\u115f\u1160\u180e\u200e\u200f\u2028-\u202e\u2066-\u2069\u3164\ufeff\uffa0\ufffc]|\ud834\udd59|\ud80d\udc30/g) ?? []),
  ...(window.hacked === undefined ? [] : ['a script has run']),
];
