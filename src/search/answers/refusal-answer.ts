import { messageOf } from '../../contract/errors.ts';
import { COMMON_PARAMETERS } from '../../contract/operations.ts';
import { FIELDS, isPayloadField, NIGHTS, type SearchField } from '../../contract/payload-fields.ts';
import {
  type FieldRefusal,
  isForTraveller,
  isUnreadable,
  sentenceOf,
} from '../../contract/refusal-reasons.ts';
import type { SearchProblem } from '../../contract/search-body.ts';
import type { Correction, FieldFault, Refusal } from '../refusal.ts';
import type { Step } from '../step.ts';
import type { SessionLinks } from './links.ts';

/** The members of an error about refused fields. */
export function refusalMembers(refusal: Refusal): Partial<SearchProblem> {
  const { faults, accepted } = refusal;
  const [first] = faults;
  const refused = refusedFields(refusal);
  const [, ...others] = refusalBodies(refusal);
  return {
    ...(first.field === null ? {} : { invalid_field: first.field }),
    ...faultMembers(first),
    ...(first.candidates.length > 0 ? { candidates: [...first.candidates] } : {}),
    ...(accepted.length > 0 ? { accepted_fields: [...accepted] } : {}),
    ...(refused.length > 0 ? { refused_fields: refused } : {}),
    ...(others.length > 0 ? { other_refusals: others } : {}),
  };
}

/** The advice when there is no suggestion. */
function askInstead({ code, reason }: FieldFault): readonly string[] {
  if (code !== 'invalid_value' || reason === null) return [];
  if (isUnreadable(reason)) return ['If it is not clear what was meant, ask the traveller.'];
  return isForTraveller(reason)
    ? ['No value on offer is near it: ask the traveller what to take instead.']
    : [];
}

/** Side effects of following next_request. Values carried with a missing prerequisite were all requested, so they change nothing else. */
function effectsOfNextRequest(refusal: Refusal): Pick<Refusal, 'changing' | 'clearing' | 'takingOff'> {
  return refusal.carried.length > 0 ? { clearing: [] } : refusal;
}

/** Explains the first refused field, and the effects of next_request. */
export function refusalMessage(refusal: Refusal, received: Step['received'] = {}): string {
  const [first] = refusal.faults;
  const message = faultMessage(first, refusal);
  const sent = valuesToSend(refusal);
  if (sent.length === 0) return [message, ...askInstead(first)].join(' ');
  // A corrected value is among the suggestions, so it needs no sentence.
  const isNamed = first.code === 'unknown_field' || first.code === 'prerequisite_missing';
  const { changing = [], clearing, takingOff = [] } = effectsOfNextRequest(refusal);
  const isMoreSaid = isNamed || changing.length > 0 || clearing.length > 0 || takingOff.length > 0;
  return [
    ...(isMoreSaid ? [/[.?]$/.test(message) ? message : `${message}.`] : [message]),
    ...(isNamed ? [`next_request supplies ${sent.map(({ field }) => field).join(', ')}.`] : []),
    ...(changing.length > 0
      ? [
          `Ask the traveller before you follow next_request: it changes ${changing.join(', ')}.`,
          ...stillStanding(first, received),
        ]
      : []),
    ...(clearing.length > 0
      ? [`Following next_request clears ${clearing.join(' and ')}, which would not fit.`]
      : []),
    ...(takingOff.length > 0
      ? [`Following next_request takes off the filter ${takingOff.join(' and ')}: no match would have it.`]
      : []),
  ].join(' ');
}

/** Warns that a search without a new value would be priced with the old one. */
function stillStanding({ code, field }: FieldFault, received: Step['received']): readonly string[] {
  const standing =
    code === 'invalid_value' && field !== null && isPayloadField(field) ? received[field] : undefined;
  return standing === undefined ? [] : [`Until then ${field} ${standing} stands.`];
}

type ValuesToSend = Pick<Refusal, 'corrections'> & Partial<Pick<Refusal, 'carried' | 'changing'>>;

/**
 * The values nearest to what was meant, never arbitrary ones. Several share one address, so that they cannot be followed in part: a
 * corrected arrival alone would be combined with the old departure.
 */
export function correctedRequest(refusal: ValuesToSend, links: SessionLinks) {
  const [first, ...others] = valuesToSend(refusal);
  if (first === undefined) return undefined;
  const { field, value } = first;
  const changes = refusal.carried?.length ? {} : changesOf(refusal.changing);
  return others.length === 0
    ? { field, value, url: links.supply(field, value, 'suggested'), ...changes }
    : { method: 'GET', url: links.supplyAll([first, ...others], 'suggested'), ...changes };
}

export function suggestedStays({ stays = [] }: Refusal, links: SessionLinks): Partial<SearchProblem> {
  if (stays.length === 0) return {};
  return {
    suggested_stays: stays.map(({ check_in_day, check_out, changing }, position) => {
      const dates = Object.entries({ check_in_day, check_out }).map(([field, value]) => ({ field, value }));
      const url = links.supplyAll(dates, `stay-${position}`);
      return { check_in_day, check_out, url, ...changesOf(changing) };
    }),
  };
}

function changesOf(changing: readonly SearchField[] = []): { changes?: string[] } {
  return changing.length > 0 ? { changes: [...changing] } : {};
}

/** If a prerequisite is missing, its value with which most of the request is accepted, and the values carried along. Otherwise the corrections. */
function valuesToSend({ carried = [], corrections }: ValuesToSend): readonly Correction[] {
  const [best] = carried.toSorted((one, other) => other.values.length - one.values.length);
  return best ? [best.with, ...best.values] : corrections;
}

export function refusedFields({ faults }: Refusal): string[] {
  return [...new Set(faults.flatMap(({ field }) => (field === null ? [] : [field])))];
}

export function refusalBodies(refusal: Refusal): FieldRefusal[] {
  return refusal.faults.map((fault) => ({
    ...(fault.field === null ? {} : { field: fault.field }),
    error: fault.code,
    message: faultMessage(fault, refusal),
    ...faultMembers(fault),
  }));
}

function faultMembers({ reason, position, didYouMean, suggestions }: FieldFault) {
  return {
    ...(reason === null ? {} : { reason }),
    ...(position === undefined ? {} : { position }),
    ...(didYouMean === null ? {} : { did_you_mean: didYouMean }),
    ...(suggestions.length > 0 ? { suggestions: [...suggestions] } : {}),
  };
}

function faultMessage(fault: FieldFault, refusal: Refusal): string {
  const { field, reason, didYouMean, known = [] } = fault;
  const heading = headingOf(fault);
  const sentences = [
    heading,
    ...(reason ? [sentenceOf(reason, field)] : []),
    ...adviceOn(fault, refusal),
    ...(didYouMean ? [`Did you mean ${didYouMean}?`, hintOn(didYouMean)] : []),
    ...(known.length > 0 ? [`The fields are ${known.join(', ')}.`] : []),
  ].filter((sentence) => sentence !== '');
  // The registry's messages that end with a name have no full stop.
  return sentences.length === 1
    ? heading
    : sentences.map((sentence) => (/[.?]$/.test(sentence) ? sentence : `${sentence}.`)).join(' ');
}

function headingOf({ code, field }: FieldFault): string {
  if (code === 'unknown_field' && field === NIGHTS) {
    return 'nights counts from check_in_day, which comes with it or before. It is a whole number, and must agree with a check_out beside it.';
  }
  return code === 'unknown_field' && field !== null
    ? `This search does not have a field ${field}.`
    : messageOf(code, field ?? '');
}

/** Empty for amenities: the hint of the refine step describes its own answer. */
function hintOn(field: SearchField): string {
  return isPayloadField(field) ? (FIELDS[field].description.hint ?? '') : '';
}

/** Advice about a refused field that belongs to the interface. */
function adviceOn({ code, field }: FieldFault, { faults }: Refusal): string[] {
  if (field !== null && COMMON_PARAMETERS.includes(field)) {
    return [`${field} belongs in the address, not in the body.`];
  }
  if (field === null || !isPayloadField(field)) return [];
  const { dependsOn, whereAbsent } = FIELDS[field];
  if (code === 'unknown_field') return whereAbsent === null ? [] : [whereAbsent];
  if (code !== 'prerequisite_missing') return [];
  return faults.some((other) => other.field === dependsOn)
    ? [`It depends on ${dependsOn}, which was refused.`]
    : [`Supply ${dependsOn} too, in the same request or before.`];
}
