// Returns every text that can be seen and has less contrast than WCAG AA asks for (4.5 : 1).

const AA = 4.5;

const channels = (color) => {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
  return { rgb: [red, green, blue], alpha };
};

const over = (top, below) => top.rgb.map((value, at) => value * top.alpha + below[at] * (1 - top.alpha));

const backgroundOf = (element) => {
  if (!element) return [255, 255, 255];
  const own = channels(getComputedStyle(element).backgroundColor);
  return own.alpha === 1 ? own.rgb : over(own, backgroundOf(element.parentElement));
};

const luminance = (rgb) => {
  const [red, green, blue] = rgb
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (element, color) => {
  const background = backgroundOf(element);
  const [light, dark] = [luminance(over(channels(color), background)), luminance(background)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { parentElement: element, data } = walker.currentNode;
  if (data.trim() && seen(element)) texts.push([element, data.trim(), getComputedStyle(element).color]);
}
for (const box of document.querySelectorAll('textarea, input')) {
  if (!seen(box)) continue;
  if (box.placeholder) texts.push([box, box.placeholder, getComputedStyle(box, '::placeholder').color]);
  texts.push([box, 'what is typed', getComputedStyle(box).color]);
}

return texts
  .map(([element, text, color]) => ({ text: text.slice(0, 40), contrast: contrast(element, color) }))
  .filter((found) => !(found.contrast >= AA))
  .map(({ text, contrast }) => `${contrast.toFixed(2)} ${text}`)
  .concat(texts.length < 5 ? ['hardly any text was seen'] : []);
