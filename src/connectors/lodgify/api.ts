import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { failureOf } from '../../outbound/read-answer.ts';
import type { Horizon, QuoteOutcome } from '../../quotes/booking-system.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import { CredentialsRefused } from '../shared/account/vendor-failure.ts';
import {
  type CallPass,
  readPages,
  type VendorAnswer,
  type VendorCall,
  type VendorCalls,
} from '../shared/vendors/vendor-calls.ts';
import type { LodgifyAvailability, LodgifyRates } from './calendar.ts';
import type { LodgifyAnswerEnd, LodgifyProperty, LodgifyRoom, LodgifySettings } from './payloads.ts';

/** Counts the bytes of an answer, and throws when the brand's budget is exceeded. */
export type SentBytes = (bytes: number) => void;

/** The tasks whose summary has the vendor's error code. */
type LodgifyTask =
  | 'lodgify_properties'
  | 'lodgify_room'
  | 'lodgify_settings'
  | 'lodgify_availability'
  | 'lodgify_rates';

type LodgifyStay = {
  readonly property: string;
  readonly room: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
  readonly currency: string;
};

const PAGE_SIZE = 50;
const MAX_PAGES = 400;
/** On all pages, active or not, because an answer may ignore the requested page size. */
const MAX_LISTED = MAX_PAGES * PAGE_SIZE;
const PAGE_BYTES = 8 * 1024 * 1024;
const ROOM_BYTES = 2 * 1024 * 1024;
const CALENDAR_BYTES = 4 * 1024 * 1024;
const QUOTE_BYTES = 256 * 1024;
/** The vendor documents status 500 for every failed call; other statuses were seen with the same envelope. */
const STATUSES_WITH_A_CODE = [400, 401, 403, 404, 409, 422, 500];

/** The calls to the vendor. All reject with a `BookingSystemFailure`. */
export type LodgifyApi = ReturnType<typeof createLodgifyApi>;

export function createLodgifyApi({
  v1,
  v2,
  account,
}: {
  readonly v1: Pick<VendorCalls, 'read'>;
  readonly v2: Pick<VendorCalls, 'read'>;
  /** The account's name, for messages to the owner. */
  readonly account: string;
}) {
  async function read<Name extends LodgifyTask>(
    calls: Pick<VendorCalls, 'read'>,
    call: VendorCall<Name>,
  ): Promise<VendorAnswer<Name>> {
    const answer = await calls.read({ ...call, statuses: STATUSES_WITH_A_CODE });
    const { status } = answer;
    // Each of these tasks returns this summary.
    const { errorCode } = answer.summary as LodgifyAnswerEnd;
    if (errorCode !== null || isAboutKey(status)) throw lodgifyRefusal(errorCode, status, account);
    if (status !== 200) throw failureOf(status);
    return answer;
  }

  return {
    /** Active properties, read page by page. */
    async properties(pass: CallPass, sent: SentBytes): Promise<readonly LodgifyProperty[]> {
      const properties: LodgifyProperty[] = [];
      let listed = 0;
      await readPages({ of: 'properties', max: MAX_PAGES }, async (page) => {
        const { items, summary } = await read(v2, {
          path: `/properties?page=${page + 1}&size=${PAGE_SIZE}&includeCount=true&includeInOut=false`,
          task: 'lodgify_properties',
          parameters: null,
          maxBytes: PAGE_BYTES,
          ...pass,
          sent,
        });
        listed += summary.listed;
        if (listed > MAX_LISTED) {
          throw new BookingSystemFailure('too_large', `the catalogue has more than ${MAX_LISTED} properties`);
        }
        for (const item of items) properties.push(item);
        const isLast = summary.count === null ? summary.listed < PAGE_SIZE : listed >= summary.count;
        return { isLast: isLast || summary.listed === 0 };
      });
      return properties;
    },
    async room(
      property: string,
      room: string,
      pass: CallPass,
      sent: SentBytes,
    ): Promise<LodgifyRoom | undefined> {
      const path = `/properties/${property}/rooms/${room}`;
      const call = { path, task: 'lodgify_room', parameters: null, maxBytes: ROOM_BYTES } as const;
      return (await read(v1, { ...call, ...pass, sent })).items[0];
    },
    async settings(property: string, pass: CallPass, sent: SentBytes): Promise<LodgifySettings | undefined> {
      const path = `/rates/settings?houseId=${property}`;
      const call = { path, task: 'lodgify_settings', parameters: null, maxBytes: ROOM_BYTES } as const;
      return (await read(v2, { ...call, ...pass, sent })).items[0];
    },
    async availability(
      property: string,
      room: string,
      { from, nights }: Horizon,
      pass: CallPass,
    ): Promise<LodgifyAvailability | undefined> {
      const period = `start=${formatDay(from)}&end=${formatDay(from + nights - 1)}`;
      const { items } = await read(v2, {
        path: `/availability/${property}/${room}?${period}&includeDetails=false`,
        task: 'lodgify_availability',
        parameters: { room },
        maxBytes: CALENDAR_BYTES,
        ...pass,
      });
      return items[0];
    },
    async rates(
      property: string,
      room: string,
      horizon: Horizon,
      pass: CallPass,
    ): Promise<LodgifyRates | undefined> {
      const { from, nights } = horizon;
      const period = `StartDate=${formatDay(from)}&EndDate=${formatDay(from + nights - 1)}`;
      const { items } = await read(v2, {
        path: `/rates/calendar?RoomTypeId=${room}&HouseId=${property}&${period}`,
        task: 'lodgify_rates',
        parameters: { horizon },
        maxBytes: CALENDAR_BYTES,
        ...pass,
      });
      return items[0];
    },
    async quote(
      { property, room, checkIn, checkOut, guests, currency }: LodgifyStay,
      pass: CallPass,
    ): Promise<{ readonly outcome: QuoteOutcome; readonly policy: string }> {
      const stay = `arrival=${formatDay(checkIn)}&departure=${formatDay(checkOut)}`;
      // `People` is deprecated, and the breakdown is newer than the answers that were seen, so send both.
      const party = `roomTypes[0].People=${guests}&roomTypes[0].guest_breakdown.adults=${guests}`;
      const { items, status } = await v2.read({
        path: `/quote/${property}?${stay}&roomTypes[0].Id=${room}&${party}`,
        task: 'lodgify_quote',
        parameters: { property, checkIn, checkOut, currency },
        maxBytes: QUOTE_BYTES,
        statuses: STATUSES_WITH_A_CODE,
        ...pass,
      });
      if (isAboutKey(status)) throw lodgifyRefusal(null, status, account);
      const [reading] = items;
      if (reading?.outcome) return { outcome: reading.outcome, policy: reading.policy };
      if (status !== 200) throw failureOf(status);
      throw new BookingSystemFailure('garbled', 'the answer is not a quote');
    },
  };
}

const NOT_AUTHORIZED = 999;

function isAboutKey(status: number): boolean {
  return status === 401 || status === 403;
}

/** The vendor understood a call and refused it in its own envelope, so its servers work. */
export class LodgifyRefusal extends BookingSystemFailure {
  constructor(code: number | null) {
    // The vendor documents every failed call as a server error, whatever its status.
    super('server_error', `Lodgify answered with its code ${code}`);
  }
}

function lodgifyRefusal(code: number | null, status: number, account: string): BookingSystemFailure {
  return code === NOT_AUTHORIZED || isAboutKey(status)
    ? new CredentialsRefused(`Lodgify does not accept the api_key of the account ${account}`)
    : new LodgifyRefusal(code);
}
