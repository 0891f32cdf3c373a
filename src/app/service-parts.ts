import type { AccessList } from '../access/access-list.ts';
import type { Resolver } from '../access/reverse-dns.ts';
import type { ActivityStore } from '../analytics/activity-store.ts';
import type { BookingOutcomes, QuotesByIdentifier } from '../analytics/bookings/booking-outcomes.ts';
import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import type { Clock } from '../clock.ts';
import type { Intake } from '../connectors/shared/intake/intake.ts';
import type { EventLoopLag } from '../limits/event-loop.ts';
import type { NetworkSettings } from '../network/read-network.ts';
import type { ClientSurroundings } from '../outbound/http-client.ts';
import type { OwnIdentity } from '../outbound/signing.ts';
import type { Random } from '../random.ts';
import type { Storage } from '../storage/storage.ts';
import type { RecordAudit } from '../telemetry/audit/audit-record.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Settings } from './settings.ts';

/** What the service is built from. */
export type ServiceParts = {
  readonly settings: Settings;
  readonly networkSettings: NetworkSettings;
  /** Signs requests to operators; null where they are not signed. */
  readonly identity: OwnIdentity | null;
  /** Who may call, as it is now. */
  readonly accessList: () => AccessList;
  readonly storage: Storage;
  /** The index from the last snapshot, and the file for the next one. Null: the index starts empty and no snapshot is written. */
  readonly snapshot: { readonly opened: OpenedIndex; readonly file: SnapshotFile } | null;
  /** Stores the counts for the owner's console; null: nothing is counted. */
  readonly activity: Pick<ActivityStore, 'add'> | null;
  /** Stores the bookings that operators report; null: operators are not asked for bookings. */
  readonly bookings: BookingStores | null;
  readonly audit: RecordAudit;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Tests replace these, to stay on the machine, without threads, and to simulate load. */
  readonly outside?: Partial<Outside>;
};

export type BookingStores = { readonly outcomes: BookingOutcomes; readonly ledger: QuotesByIdentifier };

type Outside = {
  readonly intake: Intake;
  readonly lookUp: ClientSurroundings['lookUp'] | undefined;
  readonly resolver: Resolver;
  readonly eventLoopLag: EventLoopLag;
};
