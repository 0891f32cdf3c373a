import type { RefusalNews } from '../../sync/refusal-news.ts';

/** For a store that one process works on: there is nobody to tell. */
export const NO_NEWS: RefusalNews = {
  tell() {},
  hear: () => ({ caughtUp: Promise.resolve(), stop: async () => {} }),
};
