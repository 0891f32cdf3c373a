import type { DeclineChannel } from '../../sync/decline-channel.ts';

/** For a store that one process works on: there is nobody to tell. */
export const NO_NEWS: DeclineChannel = {
  tell() {},
  hear: () => ({ caughtUp: Promise.resolve(), stop: async () => {} }),
};
