import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { NetworkFile, OpenEntry, RateCardEntry } from './network-file.ts';

/** What is wrong, and where: a JSON pointer into the file. */
export type NetworkFault = { readonly pointer: string; readonly message: string };

type Validator = {
  Errors(
    value: unknown,
  ): Iterable<{ readonly keyword: string; readonly instancePath: string; readonly message: string }>;
};

const networkFile = Compile(NetworkFile);
const bookingSystems: ReadonlyMap<unknown, Validator> = new Map<unknown, Validator>([
  ['open', Compile<TSchema>(OpenEntry)],
  ['rate-card', Compile<TSchema>(RateCardEntry)],
]);

const BOOKING_SYSTEM = /^\/brands\/(\d+)\/booking_system(?:\/|$)/;

export function isNetworkFile(json: unknown): json is NetworkFile {
  return networkFile.Check(json);
}

export function schemaFaults(json: unknown): NetworkFault[] {
  const faults = faultsBy(networkFile, json).filter(({ pointer }) => !BOOKING_SYSTEM.test(pointer));
  // Either kind of booking system would complain about the members of the other, so each entry is held against its own kind.
  return [
    ...faults,
    ...membersOf(json, 'brands').flatMap((brand, index) => bookingSystemFaults(brand, index)),
  ];
}

function bookingSystemFaults(brand: unknown, index: number): NetworkFault[] {
  if (typeof brand !== 'object' || brand === null || !('booking_system' in brand)) return [];
  const pointer = `/brands/${index}/booking_system`;
  const entry = brand.booking_system;
  const kind = typeof entry === 'object' && entry !== null && 'kind' in entry ? entry.kind : undefined;
  const validator = bookingSystems.get(kind);
  if (!validator)
    return [{ pointer: `${pointer}/kind`, message: `must be ${[...bookingSystems.keys()].join(' or ')}` }];
  return faultsBy(validator, entry).map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}

function faultsBy(validator: Validator, value: unknown): NetworkFault[] {
  return [...validator.Errors(value)].flatMap(({ keyword, instancePath, message }) => {
    // An unknown member is reported twice: at its object, and at itself, which is the better place.
    if (keyword === 'additionalProperties') return [];
    return [
      { pointer: instancePath, message: keyword === 'boolean' ? 'is not a member of this object' : message },
    ];
  });
}

/** The entries of a list in the file, whatever they are. */
export function membersOf(json: unknown, member: 'places' | 'brands'): readonly unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  const list: unknown = Reflect.get(json, member);
  return Array.isArray(list) ? list : [];
}
