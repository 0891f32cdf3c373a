import type { Network } from '../catalogue/catalogue.ts';
import { isRepeatableName } from '../contract/errors.ts';
import { FIELDS, SEARCH_FIELDS, type SearchField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import { findPlace } from './names/find-place.ts';
import { foldIntoOneWord } from './names/fold-text.ts';
import { nearestWord } from './names/nearest-word.ts';
import { type FieldFault, NO_DETAILS } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { isAskedField } from './take-values.ts';

/** A small request must not get a large answer. */
const MAX_UNKNOWN_NAMED = 5;
const MAX_NAME_LENGTH = 64;
/** A number of these is not the number of guests. */
const PART_OF_A_PARTY: ReadonlySet<string> = new Set(['children', 'kids', 'infants', 'babies']);

/** The names of a request that this session does not ask for, each with the field that was probably meant. */
export function unknownFields(
  supplied: readonly SuppliedValue[],
  session: Session,
  facts: SearchFacts,
): FieldFault[] {
  return misnamedValues(supplied, session, facts).map(({ name, meant }, position) => ({
    ...NO_DETAILS,
    code: 'unknown_field',
    field: isRepeatableName(name) ? name : null,
    // The hint is a name of the interface, so it is safe where the caller's own is not repeated.
    didYouMean: meant,
    ...(position === 0 ? { known: knownFields(session) } : {}),
  }));
}

/** The values under unknown names, as the fields that they were meant for, as far as it is clear. */
export function renamedValues(
  supplied: readonly SuppliedValue[],
  session: Session,
  facts: SearchFacts,
): readonly SuppliedValue[] {
  const misnamed = misnamedValues(supplied, session, facts);
  // Beyond this many nobody looked, and a second name for the same field may be there.
  if (misnamed.length === MAX_UNKNOWN_NAMED) return [];
  return misnamed.flatMap(({ name, meant, raw }) => {
    if (meant === null || PART_OF_A_PARTY.has(foldIntoOneWord(name))) return [];
    const isTwice = misnamed.filter((one) => one.meant === meant).length > 1;
    return isTwice || supplied.some(({ field }) => field === meant) ? [] : [{ field: meant, raw }];
  });
}

function misnamedValues(supplied: readonly SuppliedValue[], session: Session, { network }: SearchFacts) {
  const asked = knownFields(session);
  return supplied
    .filter(({ field }) => !asked.some((known) => known === field))
    .filter((one) => !namesOnlyPlace(one, session, network))
    .slice(0, MAX_UNKNOWN_NAMED)
    .map(({ field, raw }) => ({
      name: field,
      raw,
      meant: field.length <= MAX_NAME_LENGTH ? fieldMeantBy(field, asked) : null,
    }));
}

function knownFields(session: Session): readonly SearchField[] {
  return SEARCH_FIELDS.filter((field) => field === 'amenities' || isAskedField(field, session));
}

/** The place of a single-location brand is not asked for, but naming it is no mistake. */
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
