// Returns what a person could not get to see: text that is cut off at the sides of the page, and
// controls that no scrolling brings into the window.

const problems = [];
const told = (element) => `${element.localName}.${element.className} “${(element.innerText || element.value || '').slice(0, 30)}”`;
const seen = (element) => element.checkVisibility({ visibilityProperty: true });

const root = document.scrollingElement;
if (root.scrollWidth > innerWidth) problems.push(`the page is ${root.scrollWidth} wide in ${innerWidth}`);

// What scrolls to the side by itself is not cut off.
const scrolls = (element) => {
  const holder = element.parentElement;
  if (!holder || holder === document.body) return false;
  return ['auto', 'scroll'].includes(getComputedStyle(holder).overflowX) && holder.scrollWidth > holder.clientWidth
    ? holder.localName === 'pre' || holder.localName === 'table' || holder.role === 'tablist'
    : scrolls(holder);
};
for (const element of document.querySelectorAll('body *')) {
  if (!seen(element) || scrolls(element)) continue;
  const { left, right, width } = element.getBoundingClientRect();
  if (width > 0 && (left < -0.5 || right > innerWidth + 0.5)) problems.push(`${told(element)} from ${left} to ${right} in ${innerWidth}`);
}

for (const control of document.querySelectorAll('button, input, textarea')) {
  if (!seen(control)) continue;
  const target = control.closest('.card') ?? control;
  control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const there = document.elementFromPoint(x, y);
  if (!there || !(target.contains(there) || there.contains(target))) problems.push(`${told(control)} is out of reach at ${x}, ${y}`);
}
return problems;
