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

/** The members of an error that is about refused fields. */
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

/** Without a suggestion. */
function askInstead({ code, reason }: FieldFault): readonly string[] {
  if (code !== 'invalid_value' || reason === null) return [];
  if (isUnreadable(reason)) return ['If it is not clear what was meant, ask the traveller.'];
  return isForTraveller(reason)
    ? ['No value on offer is near it: ask the traveller what to take instead.']
    : [];
}

/** What following next_request does besides; values that go with a missing prerequisite were all asked for. */
function whatIsSent(refusal: Refusal): Pick<Refusal, 'changing' | 'clearing' | 'takingOff'> {
  return refusal.carried.length > 0 ? { clearing: [] } : refusal;
}

/** What is wrong with the first refused field, and what next_request does about it. */
export function refusalMessage(refusal: Refusal, received: Step['received'] = {}): string {
  const [first] = refusal.faults;
  const message = faultMessage(first, refusal);
  const sent = valuesToSend(refusal);
  if (sent.length === 0) return [message, ...askInstead(first)].join(' ');
  // A value that is corrected is among suggestions, and needs no further word.
  const isNamed = first.code === 'unknown_field' || first.code === 'prerequisite_missing';
  const { changing = [], clearing, takingOff = [] } = whatIsSent(refusal);
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

/** A search that goes on without a new value would be priced with the old one. */
function stillStanding({ code, field }: FieldFault, received: Step['received']): readonly string[] {
  const standing =
    code === 'invalid_value' && field !== null && isPayloadField(field) ? received[field] : undefined;
  return standing === undefined ? [] : [`Until then ${field} ${standing} stands.`];
}

type ValuesToSend = Pick<Refusal, 'corrections'> & Partial<Pick<Refusal, 'carried' | 'changing'>>;

/**
 * The values nearest to what was meant, never arbitrary ones. Several are one address, which cannot be followed in part: a
 * corrected arrival alone would be joined to the old departure.
 */
export function correctedRequest(refusal: ValuesToSend, links: SessionLinks) {
  const [first, ...others] = valuesToSend(refusal);
  if (first === undefined) return undefined;
  const { field, value } = first;
  const changes = refusal.carried?.length ? {} : changesOf(refusal.changing);
  return others.length === 0
    ? { field, value, url: links.supply(field)(value, 'suggested'), ...changes }
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

/** The value of a missing prerequisite with which most of the request is taken comes first: nothing else can be without it. */
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
    ...wayOn(fault, refusal),
    ...(didYouMean ? [`Did you mean ${didYouMean}?`, hintOn(didYouMean)] : []),
    ...(known.length > 0 ? [`The fields are ${known.join(', ')}.`] : []),
  ].filter((sentence) => sentence !== '');
  // The registry's message ends without a full stop where a name comes last.
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

/** The hint of the refine step is about its own answer. */
function hintOn(field: SearchField): string {
  return isPayloadField(field) ? (FIELDS[field].description.hint ?? '') : '';
}

/** What a caller may not know about a field of the interface that was refused here. */
function wayOn({ code, field }: FieldFault, { faults }: Refusal): string[] {
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
