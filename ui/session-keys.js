// The keys that the session takes, by where the keyboard is. Made of its own table:
// `UPDATE=1 cargo test --lib types` writes it anew.

/** @import { Focus } from '../tests/types/page' */

/** @type {Record<Focus['at'], string[]>} */
export const KEYS = {
  aside: ["Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+Escape"],
  button: ["1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Shift+z","Ctrl+Tab","Ctrl+z","Escape","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Escape"],
  card: [" ","1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Tab","Enter","Escape","Shift+ ","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Enter","Shift+Escape"],
  filter: ["ArrowDown","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+Enter","Shift+Escape"],
  keep: [" ","Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+ ","Shift+Enter","Shift+Escape"],
  note: ["Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+Escape"],
  other: ["ArrowDown","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+Escape"],
  panel: [" ","1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Shift+z","Ctrl+Tab","Ctrl+z","Enter","Escape","Shift+ ","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Enter","Shift+Escape"],
  primary: [" ","1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Tab","Enter","Escape","Shift+ ","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Enter","Shift+Escape"],
  row: [" ","1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Tab","Enter","Escape","Shift+ ","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Enter","Shift+Escape"],
  tab: ["1","2","3","4","5","6","7","8","9","ArrowDown","ArrowLeft","ArrowRight","ArrowUp","Ctrl+Enter","Ctrl+Shift+Enter","Ctrl+Shift+Tab","Ctrl+Tab","Escape","Shift+1","Shift+2","Shift+3","Shift+4","Shift+5","Shift+6","Shift+7","Shift+8","Shift+9","Shift+ArrowDown","Shift+ArrowLeft","Shift+ArrowRight","Shift+ArrowUp","Shift+Escape"],
  text: ["Ctrl+Enter","Ctrl+Shift+Enter","Enter","Escape","Shift+Escape"],
};
