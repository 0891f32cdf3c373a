import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';
import type { PostgresQueries } from './connection.ts';

type StoredControl = Omit<BrandControl, 'confirmedLosses'> & {
  readonly confirmedLosses: Readonly<Record<string, number>>;
};

export function createPostgresBrandControls(queries: PostgresQueries): BrandControls {
  return {
    async all() {
      const rows = await queries.query<StoredControl>(
        'SELECT brand, paused_at AS "pausedAt", reading_requested_at AS "readingRequestedAt", confirmed_losses AS "confirmedLosses" FROM brand_control',
      );
      return rows.map(({ confirmedLosses, ...control }) => ({
        ...control,
        confirmedLosses: new Map(Object.entries(confirmedLosses)),
      }));
    },
    async setPaused(brand, isPaused, at) {
      await queries.query(
        `INSERT INTO brand_control AS known (brand, paused_at) VALUES ($1, $2)
         ON CONFLICT (brand) DO UPDATE
           SET paused_at = CASE WHEN excluded.paused_at IS NULL THEN NULL ELSE coalesce(known.paused_at, excluded.paused_at) END`,
        [brand, isPaused ? at : null],
      );
    },
    async requestReading(brand, at) {
      await queries.query(
        `INSERT INTO brand_control AS known (brand, reading_requested_at) VALUES ($1, $2)
         ON CONFLICT (brand) DO UPDATE
           SET reading_requested_at = greatest(known.reading_requested_at, excluded.reading_requested_at)`,
        [brand, at],
      );
    },
    async confirmLosses(brand, reference, at) {
      await queries.query(
        `INSERT INTO brand_control AS known (brand, confirmed_losses) VALUES ($1, $2)
         ON CONFLICT (brand) DO UPDATE SET confirmed_losses = known.confirmed_losses || excluded.confirmed_losses`,
        [brand, JSON.stringify({ [reference]: at })],
      );
    },
  };
}
