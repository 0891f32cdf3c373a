import { isDeepStrictEqual } from 'node:util';
import { isSharedAmenity } from '../../catalogue/amenities.ts';
import type { Network } from '../../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../../catalogue/stay-criteria.ts';
import { OK } from '../../contract/errors.ts';
import type { PayloadField } from '../../contract/payload-fields.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import {
  ACCESS,
  API_VERSION,
  COMPARISON_FIELDS,
  formatTimestamp,
  MAX_REFINE_OPTIONS,
  OPERATOR_TEXT,
  PATHS,
  USER_FACING_URLS,
} from '../../contract/vocabulary.ts';

import type { Session } from '../../sessions/session.ts';
import { formatDay } from '../../stay/day.ts';
import type { AlternativeField, Alternatives } from '../alternatives.ts';
import type { Comparison } from '../comparison.ts';
import type { Cleared } from '../decision.ts';
import { askedFields } from '../payload.ts';
import type { Refusal } from '../refusal.ts';
import { canAskAgain, earliestAgain } from './coverage-text.ts';
import { fitOptions } from './fit-options.ts';
import { type Links, resultPath, type SessionLinks } from './links.ts';
import { notesOn } from './notes.ts';
import { createOptionWriter } from './option-answer.ts';
import { refusalBodies, refusedFields } from './refusal-answer.ts';
import type { SideEffects } from './side-effects.ts';
import { stayLink } from './stay-link.ts';

export type ResultTools = {
  readonly links: Links;
  readonly token: string;
  readonly network: Network;
  readonly sideEffects: SideEffects;
};

const PARTLY_REFUSED =
  'Not everything in the request was taken, so this set may not be what was asked for; refusals says what was refused and why.';

/** A result with its JSON, the same on every endpoint. Its options come last. */
export function resultAnswer(
  comparison: Comparison,
  session: Session,
  tools: ResultTools,
): { readonly body: ResultBody; readonly text: string } {
  const { criteria, place, options } = comparison;
  const optionOf = createOptionWriter(criteria, place.currency);
  const fitted = fitOptions(
    options.map((option, position) => optionOf(option, position + 1)),
    criteria.amenities,
  );
  const envelope = envelopeOf(comparison, session, tools);
  const texts = fitted.map(({ text }) => text).join(',');
  return {
    body: { ...envelope, results: fitted.map(({ option }) => option) },
    // The texts by which the options were measured are not written again.
    text: `${JSON.stringify(envelope).slice(0, -1)},"results":[${texts}]}`,
  };
}

function envelopeOf(
  comparison: Comparison,
  session: Session,
  { links, token, network, sideEffects }: ResultTools,
): Omit<ResultBody, 'results'> {
  const { criteria, place, options } = comparison;
  const { refusal } = sideEffects;
  const sessionLinks = links.forSession({ token, revision: session.revision, view: 'full' });
  const validUntil = formatTimestamp(comparison.validUntil);
  return {
    api_version: API_VERSION,
    status: OK,
    object: 'search_result',
    session: token,
    session_expires_at: validUntil,
    access: ACCESS,
    query: queryOf(criteria, session),
    comparison_set: {
      options_count: options.length,
      total_matches: comparison.totalMatches,
      sort: { by: 'total_price', order: 'asc' },
      comparison_fields: [...COMPARISON_FIELDS],
      currency: place.currency,
      totals_include_taxes_and_fees: comparison.totalsAreFinal,
      quotes_valid_until: validUntil,
      user_facing_urls: [...USER_FACING_URLS],
      has_more: false,
      truncated: comparison.totalMatches > options.length,
      quotes_retrieved_at:
        options.length === 0
          ? null
          : formatTimestamp(Math.min(...options.map(({ quote }) => quote.retrievedAt))),
      selection: {
        matches: comparison.totalMatches,
        priced: comparison.pricedMatches,
        shown: options.length,
        complete:
          comparison.pricedMatches === comparison.totalMatches && comparison.unsearchable.length === 0,
      },
      unpublished_amenities: comparison.unpublishedAmenities,
      coverage: comparison.coverage.map(({ brand, asked, quoted, unavailable, failed, implausible }) => ({
        brand: network.brands.get(brand)?.name ?? brand,
        asked,
        quoted,
        unavailable,
        failed,
        implausible,
      })),
    },
    applied_filters: { amenities: [...criteria.amenities] },
    ...membersOfSideEffects(sideEffects),
    ...(refusal ? { refused_fields: refusedFields(refusal), refusals: refusalBodies(refusal) } : {}),
    ...nextFilter(refusal, sessionLinks),
    all_results_url: allResultsUrl(comparison, network),
    available_requests: resultRequests(session, sessionLinks, comparison),
    self_url: resultPath(token),
    terms_url: PATHS.terms,
    notes: [...sentencesOnFilters(criteria, sideEffects), notesOn(comparison)].join(' '),
    operator_text: [...OPERATOR_TEXT],
  };
}

/** The side effects of a request, as members of a step or a result. */
export function membersOfSideEffects({ cleared, fulfilled = [], isFromEarlierStep }: SideEffects) {
  return {
    ...(cleared.fields.length > 0 ? { cleared_fields: [...cleared.fields] } : {}),
    ...(cleared.amenities.length > 0 ? { cleared_amenities: [...cleared.amenities] } : {}),
    ...(fulfilled.length > 0 ? { fulfilled_amenities: [...fulfilled] } : {}),
    ...(isFromEarlierStep ? { from_earlier_step: true as const } : {}),
  };
}

/**
 * A stored result as the answer to another request, which changed nothing. Removes the refusals and cleared fields of the request that led
 * to it. Returns the same object when nothing differs.
 */
export function withSideEffects(result: ResultBody, sideEffects: SideEffects): ResultBody {
  const members = membersOfSideEffects(sideEffects);
  if (isDeepStrictEqual({ ...result, ...members }, result)) return result;
  const { refused_fields: _r, refusals: _f, next_request: _n, cleared_fields: _c, ...rest } = result;
  const { cleared_amenities = [], fulfilled_amenities: fulfilled = [], results, notes, ...set } = rest;
  const ofOther = [
    PARTLY_REFUSED,
    clearedSentence({ amenities: cleared_amenities }),
    clearedSentence({ amenities: cleared_amenities, isNewSearch: true }),
    ...sentencesOnFulfilled({ fulfilled }),
  ];
  const others = ofOther.reduce((text, sentence) => text.replace(`${sentence} `, ''), notes);
  return { ...set, ...members, notes: [others, ...sentencesOnFulfilled(sideEffects)].join(' '), results };
}

/** The notes begin with the active filters, because a filter survives a change of the stay. */
function sentencesOnFilters({ amenities }: CompleteCriteria, sideEffects: SideEffects): readonly string[] {
  const { cleared, refusal } = sideEffects;
  return [
    ...(amenities.length > 0 ? [`Filters that are on: ${named(amenities, 'applied_filters')}.`] : []),
    ...(cleared.amenities.length > 0 ? [clearedSentence(cleared)] : []),
    ...sentencesOnFulfilled(sideEffects),
    ...(refusal ? [PARTLY_REFUSED] : []),
  ];
}

function clearedSentence({ amenities, isNewSearch }: Omit<Cleared, 'fields'>): string {
  const filters = named(amenities, 'cleared_amenities');
  return isNewSearch
    ? `This is a new search, so filters of the one before were taken off: ${filters}.`
    : `Filters that no match has any more were taken off, so this set is wider than asked for: ${filters}.`;
}

function sentencesOnFulfilled({ fulfilled = [] }: Pick<SideEffects, 'fulfilled'>): readonly string[] {
  return fulfilled.length === 0
    ? []
    : [
        `Every match has ${named(fulfilled, 'fulfilled_amenities')}, so no filter was needed; send it again with another stay.`,
      ];
}

/** Sentences name only shared amenities. Keys that operators chose appear only in members marked as their text. */
function named(amenities: readonly string[], member: string): string {
  const known = amenities.filter(isSharedAmenity);
  const others = amenities.length - known.length;
  return [...known, ...(others > 0 ? [`${others} that only ${member} names`] : [])].join(', ');
}

/** Applies the next of several amenities, or the likely meaning of a refused one. */
function nextFilter(refusal: Refusal | null, links: SessionLinks): Pick<ResultBody, 'next_request'> {
  const [correction, ...others] = refusal?.corrections ?? [];
  if (correction?.field !== 'amenities' || others.length > 0) return {};
  const { field, value } = correction;
  const request = { field, value, url: links.supply(field, value, 'suggested') };
  return { next_request: refusal?.changing ? { ...request, changes: [field] } : request };
}

/** A new criterion does not compile until this function decides whether the query shows it. */
function queryOf(criteria: CompleteCriteria, { payload }: Session): ResultBody['query'] {
  const { place, checkIn, checkOut, guests, ...others } = criteria;
  const { brand: _brand, checkInMonth: _month, amenities: _applied, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  return {
    destination: place,
    check_in: formatDay(checkIn),
    check_out: formatDay(checkOut),
    nights: checkOut - checkIn,
    guests,
    ...(payload.brand_locked === undefined ? {} : { brand_locked: payload.brand_locked }),
  };
}

/** Only for a search locked to one brand, because no website lists several, and without filters, which the page would ignore. */
function allResultsUrl({ criteria }: Comparison, network: Network): string | null {
  if (criteria.amenities.length > 0) return null;
  const brand = criteria.brand === null ? undefined : network.brands.get(criteria.brand);
  return brand?.website.resultsUrl ? stayLink(brand.website.resultsUrl, brand, criteria, true) : null;
}

/** Only the most common amenities have an address, which is some 70 tokens of a compact result. The refine step has more. */
const MAX_LINKED_OPTIONS = 8;

/** The requests that continue from a result: narrow it, remove the filters, change an answer. */
export function resultRequests(
  session: Session,
  links: SessionLinks,
  comparison: Pick<Comparison, 'alternatives' | 'askAgainAt' | 'validUntil'>,
): ResultBody['available_requests'] {
  const { alternatives, askAgainAt } = comparison;
  const offers = session.result?.amenityOffers ?? [];
  const { order } = askedFields(session);
  // After a partial result, supplying an unchanged answer asks for prices again.
  const last = order.at(-1);
  return {
    ...(offers.length === 0
      ? {}
      : {
          refine: {
            method: 'POST',
            path: PATHS.search,
            body_field: 'amenities',
            required: false,
            href: links.read('refine'),
            options: offers.slice(0, MAX_REFINE_OPTIONS).map((offer, ordinal) => ({
              ...offer,
              ...(ordinal < MAX_LINKED_OPTIONS
                ? { url: links.supply('amenities', offer.value, `refine-${ordinal}`) }
                : {}),
            })),
            url_template: links.template(['amenities']),
          },
        }),
    ...(session.amenities.length === 0
      ? {}
      : {
          clear_filters: {
            method: 'GET',
            path: PATHS.search,
            href: links.supply('amenities', '', 'clear'),
          },
        }),
    ...(session.result?.isPartial && last !== undefined && canAskAgain(comparison)
      ? {
          ask_again: {
            method: 'GET',
            path: PATHS.search,
            href: links.supply(last, String(session.payload[last]), 'again'),
            ...(askAgainAt === null ? {} : { not_before: earliestAgain(askAgainAt) }),
          },
        }
      : {}),
    change: Object.fromEntries(
      order.map((field) => [
        field,
        { ...changeOf(field, session, links), ...nearestOf(field, alternatives, links) },
      ]),
    ),
  };
}

/** An arrival is changed together with the departure, so that the stay is as long as before. */
function nearestOf(field: PayloadField, alternatives: Alternatives, links: SessionLinks) {
  const [way] = Object.hasOwn(alternatives, field) ? (alternatives[field as AlternativeField] ?? []) : [];
  return way === undefined
    ? {}
    : { url: links.supplyAll(way, `near-${field}`), changes: way.map((one) => one.field) };
}

/** A field with two values links to the other one; the rest link to their choices. */
function changeOf(field: PayloadField, { payload }: Session, links: SessionLinks) {
  const value = payload[field];
  return typeof value === 'boolean'
    ? { url: links.supply(field, String(!value), `change-${field}`) }
    : { url: links.choices(field), url_template: links.template([field]) };
}
