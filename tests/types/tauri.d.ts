// The part of Tauri that the pages use.

import type { Commands } from './page';

/** What the app sends messages to the page through. */
export declare class Channel<Message> {
  onmessage: (message: Message) => void;
}

declare global {
  interface Window {
    __TAURI__: {
      core: {
        invoke<Name extends keyof Commands>(name: Name, ...args: Parameters<Commands[Name]>): Promise<ReturnType<Commands[Name]>>;
        Channel: typeof Channel;
      };
    };
  }
}
