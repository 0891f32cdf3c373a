import type { BrandLeases } from '../../sync/brand-leases.ts';

/** For a store that one process works on: it reads every brand, at once and until it stops. */
export const EVERY_BRAND: BrandLeases = {
  compete(_brand, lead) {
    const stopping = new AbortController();
    const leading = lead(stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await leading;
      },
    };
  },
};
