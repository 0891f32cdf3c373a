import type { BrandId } from '../../inventory/catalogue.ts';
import type { StillReading } from '../../quotes/booking-system.ts';
import type { Line } from '../../quotes/fair-queue.ts';
import type { AccountClient } from '../account/account-client.ts';
import { vendorFailureOf } from '../account/vendor-failure.ts';
import type { ReadHeader } from '../http/read-answer.ts';
import { failureOf } from '../http/read-answer.ts';
import type {
  Intake,
  IntakeItem,
  IntakeParameters,
  IntakeSummary,
  IntakeTaskName,
} from '../intake/intake.ts';

/** Calls to a vendor in the name of an account. The intake reads each answer, and the caller gets what was found in it. */
export type VendorCalls = {
  /** Rejects with a `BookingSystemFailure`. */
  read<Name extends IntakeTaskName>(call: VendorCall<Name>): Promise<VendorAnswer<Name>>;
  close(): Promise<void>;
};

export type VendorCall<Name extends IntakeTaskName> = {
  readonly path: string;
  readonly task: Name;
  readonly parameters: IntakeParameters<Name>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** For a call that a traveller waits for; left out for one in the background. */
  readonly liveTimeoutMs?: number;
  /** Who waits for it. */
  readonly askedBy?: Line | undefined;
  /** Statuses besides 200 whose answer is read too. */
  readonly statuses?: readonly number[];
  readonly stillReading?: StillReading | undefined;
};

export type VendorAnswer<Name extends IntakeTaskName> = {
  readonly items: readonly IntakeItem<Name>[];
  readonly summary: IntakeSummary<Name>;
  readonly status: number;
  readonly header: ReadHeader;
  /** The size of the answer. */
  readonly bytes: number;
};

const BACKGROUND_TIMEOUT_MS = 30_000;
/** How long a call in the background may wait for its turn in the account's budget. */
const MAX_QUIET_MS = 2 * 3_600_000 + BACKGROUND_TIMEOUT_MS;

export function createVendorCalls({
  client,
  intake,
  brand,
  headers = {},
}: {
  readonly client: AccountClient;
  readonly intake: Intake;
  readonly brand: BrandId;
  readonly headers?: Readonly<Record<string, string>>;
}): VendorCalls {
  return {
    async read({
      path,
      task,
      parameters,
      maxBytes,
      signal,
      liveTimeoutMs,
      askedBy,
      statuses = [],
      stillReading = () => undefined,
    }) {
      const isLive = liveTimeoutMs !== undefined;
      try {
        if (!isLive) stillReading(MAX_QUIET_MS);
        const answer = await client.send(
          { method: 'GET', path, headers, statuses },
          {
            urgency: isLive ? 'live' : 'background',
            timeoutMs: liveTimeoutMs ?? BACKGROUND_TIMEOUT_MS,
            maxBytes,
            signal,
            askedBy,
          },
        );
        stillReading();
        const { status, header } = answer;
        const bytes = answer.bytes.byteLength;
        const items: IntakeItem<typeof task>[] = [];
        const reading = intake.run({
          task,
          lane: isLive ? 'live' : 'background',
          brand,
          document: answer.bytes,
          parameters,
          signal,
          take(some) {
            for (const item of some) items.push(item);
          },
        });
        const { summary } = await reading.catch((failure: unknown) => {
          // An error that is not written as the vendor writes them: its status says more than its text.
          throw status === 200 ? failure : failureOf(status);
        });
        return { items, summary, status, header, bytes };
      } catch (error) {
        throw vendorFailureOf(error, signal);
      }
    },
    close: () => client.close(),
  };
}
