import type { Network } from '../catalogue/catalogue.ts';
import { isRepeatableName } from '../contract/errors.ts';
import { FIELDS, type SearchField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { findPlace } from './names/find-place.ts';
import { foldIntoOneWord, nearestWord } from './names/spelling.ts';
import { askedFields, type SearchFacts } from './payload.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** A small request must not get a large answer. */
const MAX_UNKNOWN_NAMED = 5;
const MAX_NAME_LENGTH = 64;
/** Their number is not the number of guests. */
const PART_OF_A_PARTY: ReadonlySet<string> = new Set(['children', 'kids', 'infants', 'babies']);

/** A value under a name that the session does not ask for, and the field that was probably meant. */
export type MisnamedValue = {
  readonly name: string;
  readonly raw: unknown;
  readonly meant: SearchField | null;
};

export function misnamedValues(
  supplied: readonly SuppliedValue[],
  session: Session,
  { network }: Pick<SearchFacts, 'network'>,
): readonly MisnamedValue[] {
  const order: readonly string[] = askedFields(session).order;
  const misnamed: MisnamedValue[] = [];
  for (const one of supplied) {
    const { field: name, raw } = one;
    const isKnown = name === 'amenities' || order.includes(name);
    if (isKnown || misnamed.length === MAX_UNKNOWN_NAMED || namesOnlyPlace(one, session, network)) continue;
    const meant = name.length <= MAX_NAME_LENGTH ? fieldMeantBy(name, knownFields(session)) : null;
    misnamed.push({ name, raw, meant });
  }
  return misnamed;
}

function knownFields(session: Session): readonly SearchField[] {
  return [...askedFields(session).order, 'amenities'];
}

export function unknownFaults(misnamed: readonly MisnamedValue[], session: Session): readonly FieldFault[] {
  return misnamed.map(({ name, meant }, position) => ({
    ...NO_DETAILS,
    code: 'unknown_field',
    field: isRepeatableName(name) ? name : null,
    // A name of the interface, so it is safe to show even when the caller's name is not.
    didYouMean: meant,
    ...(position === 0 ? { known: knownFields(session) } : {}),
  }));
}

/** The values under unknown names, renamed to the fields that were meant, if clear. */
export function renamedValues(
  misnamed: readonly MisnamedValue[],
  supplied: readonly SuppliedValue[],
): readonly SuppliedValue[] {
  // Further names were not examined, so another name for the same field may follow.
  if (misnamed.length === MAX_UNKNOWN_NAMED) return [];
  return misnamed.flatMap(({ name, meant, raw }) => {
    if (meant === null || PART_OF_A_PARTY.has(foldIntoOneWord(name))) return [];
    const isTwice = misnamed.filter((one) => one.meant === meant).length > 1;
    return isTwice || supplied.some(({ field }) => field === meant) ? [] : [{ field: meant, raw }];
  });
}

/** A single-location brand's session does not ask for its place, but naming it is not a mistake. */
function namesOnlyPlace({ field, raw }: SuppliedValue, { onlyPlace }: Session, network: Network): boolean {
  if (field !== 'destination' || onlyPlace === null || typeof raw !== 'string') return false;
  const lookup = findPlace(raw, network, () => [onlyPlace]);
  return lookup.kind === 'found' && lookup.place === onlyPlace;
}

function fieldMeantBy(name: string, asked: readonly SearchField[]): SearchField | null {
  const written = foldIntoOneWord(name);
  const isSaidFor = (field: SearchField) =>
    [field, ...FIELDS[field].alsoCalled].some((called) => foldIntoOneWord(called) === written);
  return asked.find(isSaidFor) ?? asked.find((field) => field === nearestWord(name, asked)) ?? null;
}
