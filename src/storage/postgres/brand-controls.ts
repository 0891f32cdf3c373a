import type { BrandControl, BrandControls } from '../../sync/brand-controls.ts';
import type { PostgresQueries } from './connection.ts';

export function createPostgresBrandControls(queries: PostgresQueries): BrandControls {
  return {
    all: () =>
      queries.query<BrandControl>(
        'SELECT brand, paused_at AS "pausedAt", reading_requested_at AS "readingRequestedAt" FROM brand_control',
      ),
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
  };
}
