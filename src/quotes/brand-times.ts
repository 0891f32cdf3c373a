import type { BrandId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';

export type BrandTime = {
  /** How long at least one of its calls was under way. */
  readonly waitedMs: number;
  /** Of its answers. */
  readonly longestMs: number;
};

/** How long the brands have kept one search waiting. */
export type BrandTimes = {
  /** A call begins; call what is returned when it is answered. */
  begin(brand: BrandId): () => void;
  of(brand: BrandId): BrandTime;
};

const NOT_ASKED: BrandTime = { waitedMs: 0, longestMs: 0 };

export function createBrandTimes(clock: Clock): BrandTimes {
  const times = new Map<BrandId, { waitedMs: number; longestMs: number; calls: number; busySince: number }>();

  return {
    begin(brand) {
      const beganAt = clock.elapsed();
      const time = times.get(brand) ?? { waitedMs: 0, longestMs: 0, calls: 0, busySince: beganAt };
      times.set(brand, time);
      if (time.calls === 0) time.busySince = beganAt;
      time.calls += 1;
      return () => {
        const now = clock.elapsed();
        time.calls -= 1;
        time.waitedMs += now - time.busySince;
        time.busySince = now;
        time.longestMs = Math.max(time.longestMs, now - beganAt);
      };
    },
    of: (brand) => times.get(brand) ?? NOT_ASKED,
  };
}
