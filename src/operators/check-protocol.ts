import type { Clock } from '../clock.ts';
import { HORIZON_NIGHTS } from '../inventory/calendar.ts';
import type { OpenClient } from './http/operator-client.ts';
import type { ListingContext } from './listings/listing-reader.ts';
import { type CallPath, createCallServer, methodOf } from './protocol-check/call-server.ts';
import { checkBookings } from './protocol-check/check-bookings.ts';
import { checkCalendars } from './protocol-check/check-calendars.ts';
import { checkCatalogue } from './protocol-check/check-catalogue.ts';
import { checkQuotes } from './protocol-check/check-quotes.ts';
import { checkStrangers } from './protocol-check/check-strangers.ts';
import { PROTOCOL_RULES } from './protocol-check/protocol-rules.ts';
import {
  createVerdictCollector,
  type ProtocolCheck,
  type ProtocolReport,
  type VerdictCollector,
} from './protocol-check/verdict.ts';

const MS_PER_DAY = 86_400_000;
const NEEDED_CALLS = ['/catalogue', '/calendars', '/quotes'] as const satisfies readonly CallPath[];
/** Two days from now it is tomorrow or later everywhere, so that no rule about today is in the way. */
const DAYS_AHEAD = 2;
/** Beyond half of the limit, a busy hour is enough to fail. */
const MAX_EASY_MS: Readonly<Record<CallPath, number>> = {
  '/catalogue': 15_000,
  '/calendars': 15_000,
  '/quotes': 2000,
  '/bookings': 15_000,
};

/**
 * Puts a server of the open protocol through every rule, with the readers of the connector, and lists every fault with its
 * place. Nothing is stored. Rejects only when the signal aborts.
 */
export async function checkProtocol({
  baseUrl,
  token,
  openClient,
  clock,
  signal,
  network = null,
  onCheck = () => undefined,
}: {
  readonly baseUrl: string;
  readonly token: string | null;
  readonly openClient: OpenClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The brand's hosts and the places of the network. Left out: those that the listings name. */
  readonly network?: ListingContext | null;
  /** Called when a check begins. */
  readonly onCheck?: (check: ProtocolCheck) => void;
}): Promise<ProtocolReport> {
  const collector = createVerdictCollector(onCheck);
  const client = openClient({ baseUrl, connections: 1 });
  const today = Math.floor(clock.now() / MS_PER_DAY);
  try {
    const server = createCallServer({ client, token, clock, collector, signal });
    const homes = await checkCatalogue(server, collector, network);
    const calendars = await checkCalendars(server, collector, homes, { from: today, nights: HORIZON_NIGHTS });
    const samples = homes.flatMap((home) => {
      const calendar = calendars.get(home.reference);
      return calendar ? [{ home, calendar }] : [];
    });
    await checkQuotes(server, collector, samples, { clock, earliest: today + DAYS_AHEAD });
    const hasBookings = homes.length > 0 && (await checkBookings(server, collector, clock.now()));
    const paths: readonly CallPath[] = [...NEEDED_CALLS, ...(hasBookings ? (['/bookings'] as const) : [])];
    await checkStrangers(server, collector, { token, today, paths });
    checkTiming(collector, server.slowest());
    return collector.report();
  } finally {
    await client.close();
  }
}

function checkTiming(collector: VerdictCollector, slowest: ReadonlyMap<CallPath, number>): void {
  if (slowest.size > 0) collector.begin('timing');
  for (const [path, milliseconds] of slowest) {
    if (milliseconds <= MAX_EASY_MS[path]) continue;
    const place = `${methodOf(path)} ${path}`;
    const found = `${milliseconds} ms`;
    collector.fault('timing', {
      place,
      rule: 'slow',
      found,
      ...PROTOCOL_RULES.slow,
      milliseconds,
      isWarning: true,
    });
  }
  collector.passed('timing', Array.from(slowest, ([path, ms]) => `${path} ${ms} ms`).join(', '));
}
