import type { OwnerStore } from '../owner-store.ts';
import { createPostgresActivityStore } from './activity-store.ts';
import { createPostgresBookingOutcomes } from './booking-outcomes.ts';
import { createPostgresBrandControls } from './brand-controls.ts';
import type { PostgresQueries } from './connection.ts';
import { createPostgresOwnerSettings } from './owner-settings.ts';

export function createPostgresOwnerStore(queries: PostgresQueries): OwnerStore {
  return {
    activity: createPostgresActivityStore(queries),
    controls: createPostgresBrandControls(queries),
    outcomes: createPostgresBookingOutcomes(queries),
    owner: createPostgresOwnerSettings(queries),
  };
}
