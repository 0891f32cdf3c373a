import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes } from '../analytics/bookings/booking-outcomes.ts';
import { hourOf } from '../analytics/count.ts';
import type { Clock } from '../clock.ts';
import { startDeletingOld } from '../sessions/delete-old.ts';
import type { Log } from '../telemetry/log.ts';
import type { Settings } from './settings.ts';

/** Keeps counts and reported bookings as long as the owner has set. */
export function startActivityRetention({
  settings,
  activity,
  outcomes,
  clock,
  log,
}: {
  readonly settings: Pick<Settings, 'activityDays'>;
  readonly activity: Pick<ActivityStore, 'deleteBefore'>;
  readonly outcomes: Pick<BookingOutcomes, 'deleteBefore'>;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } {
  const days = settings.activityDays;
  const deletions = [
    startDeletingOld({
      deleteOld: ({ now, keptMs, limit }) => activity.deleteBefore(hourOf(now - keptMs), limit),
      ...{ days, clock },
      onFailure: (failure) => log.error({ err: failure }, 'old counts could not be deleted'),
    }),
    startDeletingOld({
      deleteOld: ({ now, keptMs, limit }) => outcomes.deleteBefore(now - keptMs, limit),
      ...{ days, clock },
      onFailure: (failure) => log.error({ err: failure }, 'old bookings could not be deleted'),
    }),
  ];
  return {
    async stop() {
      await Promise.all(deletions.map((deletion) => deletion.stop()));
    },
  };
}
