import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { QuotesRequest } from '../../src/connectors/open/quote.ts';
import { credentialVariable } from '../../src/connectors/shared/account/account-credentials.ts';
import { type Day, formatDay } from '../../src/stay/day.ts';
import { type EmulatedVendorSystem, VENDORS } from '../../test/connectors/vendors.ts';
import type { EmulatedHome } from '../../test/emulators/homes.ts';
import { createWorld } from '../../test/emulators/world.ts';
import { plainServer, sendJson } from '../../test/support/plain-server.ts';
import { startScriptedOperator } from '../../test/support/scripted-operator.ts';
import { bookingsOf } from './homes.ts';
import {
  decimal,
  listingOf,
  PUBLISHED_HOST,
  periodsOf,
  plainFileOf,
  rateCardOf,
  referenceOf,
} from './published-homes.ts';

/** A booking system that runs, as the network file describes it. Plain data: it is passed from one process to another. */
export type RunningSystem = {
  readonly kind: string;
  readonly name: string;
  /** Of the homes' pages and pictures. */
  readonly host: string;
  /** The entry of the network file. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** The variables that the entry needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly references: readonly string[];
};

type StartedWith = {
  readonly homes: readonly EmulatedHome[];
  readonly today: Day;
  /** For files that a system is read from. */
  readonly folder: string;
};

const ACCOUNT = 'bench';
/** More than can be sent: emulators tell connectors what is left of a limit, whether it is enforced or not. */
const MAX_REQUESTS_A_SECOND = 1_000_000;

export async function startBookingSystems(start: StartedWith): Promise<readonly RunningSystem[]> {
  return Promise.all([
    startOpen(start),
    startRateCard(start),
    startImported(start),
    ...VENDORS.map((vendor) => startVendor(vendor, start)),
  ]);
}

async function startVendor(
  { kind, name, start, entryOn }: EmulatedVendorSystem,
  { homes, today }: StartedWith,
): Promise<RunningSystem> {
  const emulator = await start({
    homes,
    now: () => Date.now(),
    limits: [{ requests: MAX_REQUESTS_A_SECOND, perMs: 1000 }],
  });
  for (const { id } of homes) {
    for (const { from, to } of bookingsOf(id, today, HORIZON_NIGHTS)) {
      emulator.book(id, formatDay(from), formatDay(to));
    }
  }
  return {
    kind,
    name,
    host: emulator.websiteHost,
    entry: {
      kind,
      account: ACCOUNT,
      url: emulator.url,
      rate_limits: [{ requests: MAX_REQUESTS_A_SECOND, seconds: 1 }],
      ...entryOn?.(emulator),
    },
    env: Object.fromEntries(
      Object.entries(emulator.credentials).map(([secret, value]) => [
        credentialVariable(ACCOUNT, secret),
        value,
      ]),
    ),
    references: homes.map(({ id }) => emulator.referenceOf(id)),
  };
}

async function startOpen({ homes, today }: StartedWith): Promise<RunningSystem> {
  const operator = await startScriptedOperator();
  const world = createWorld(homes, () => Date.now());
  const ids = new Map(homes.map(({ id }) => [referenceOf(id), id]));
  operator.properties = homes.map((home) => ({
    listing: listingOf(home),
    periods: periodsOf(home, { today, nights: HORIZON_NIGHTS }),
  }));
  operator.quote = (property, { check_in, check_out, guests, currency }: QuotesRequest) => {
    const stay = world.stay(ids.get(property) ?? 0, check_in, check_out, guests);
    if ('refused' in stay) return { property, status: 'unavailable', reason: 'not_offered' };
    return {
      property,
      status: 'quoted',
      currency,
      total: decimal(stay.total),
      lines: [
        { label: `${stay.nights.length} nights`, amount: decimal(stay.accommodation) },
        { label: 'Cleaning', amount: decimal(stay.cleaning) },
        { label: 'Tax', amount: decimal(stay.tax) },
      ],
    };
  };
  return published(homes, 'Open protocol', { kind: 'open', url: operator.origin });
}

/** Like a static file on a web server: a card that has not changed is not sent again. */
async function startRateCard({ homes, today }: StartedWith): Promise<RunningSystem> {
  const card = rateCardOf(homes, { today, nights: HORIZON_NIGHTS });
  const etag = '"card-1"';
  const server = await plainServer((request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else sendJson(response, card, { etag });
  });
  return published(homes, 'Rate card', { kind: 'rate-card', url: `${server.url}/rates.json` });
}

async function startImported({ homes, today, folder }: StartedWith): Promise<RunningSystem> {
  const file = join(folder, 'homes.jsonl');
  writeFileSync(file, plainFileOf(homes, { today, nights: HORIZON_NIGHTS }));
  return published(homes, 'Imported file', { kind: 'imported', file });
}

function published(
  homes: readonly EmulatedHome[],
  name: string,
  entry: { readonly kind: string } & Readonly<Record<string, unknown>>,
): RunningSystem {
  const references = homes.map(({ id }) => referenceOf(id));
  return { kind: entry.kind, name, host: PUBLISHED_HOST, entry, env: {}, references };
}
