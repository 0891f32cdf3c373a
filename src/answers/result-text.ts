import { OK } from '../contract/errors.ts';
import type { ResultBody } from '../contract/result-body.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import { API_VERSION } from '../contract/version.ts';
import { ACCESS, COMPARISON_FIELDS, OPERATOR_TEXT, PATHS, USER_FACING_URLS } from '../contract/vocabulary.ts';
import type { Network } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';
import type { Remarks } from '../search/answer-writer.ts';
import type { Comparison } from '../search/comparison.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay } from '../stay/day.ts';
import { fitOptions } from './fit-options.ts';
import { membersText } from './home-text.ts';
import { type Links, resultPath } from './links.ts';
import { notesOn } from './notes.ts';
import { createOptionWriter } from './option-text.ts';
import { refusalBodies, refusedFields } from './refusal-answer.ts';
import { resultRequests } from './result-requests.ts';
import { stayLink } from './stay-link.ts';

export type ResultTools = {
  readonly links: Links;
  readonly token: string;
  readonly network: Network;
  readonly remarks: Remarks;
};

const PARTLY_REFUSED =
  'Not everything in the request was taken, so this set may not be what was asked for; refusals says what was refused and why.';
const FILTERS_TAKEN_OFF =
  'Filters that no match has any more were taken off, so this set is wider than asked for; cleared_amenities names them.';

/** The result as JSON, the same on every endpoint that returns it. Its options come last, each written as text of its own. */
export function resultText(comparison: Comparison, session: Session, tools: ResultTools): string {
  const { criteria, place, options } = comparison;
  const writeOption = createOptionWriter(criteria, place.currency);
  const written = options.map((option, position) => writeOption(option, position + 1));
  const envelope = membersText(envelopeOf(comparison, session, tools));
  return `{${envelope},"results":[${fitOptions(written, criteria.amenities).join(',')}]}`;
}

function envelopeOf(
  comparison: Comparison,
  session: Session,
  { links, token, network, remarks }: ResultTools,
): Omit<ResultBody, 'results'> {
  const { criteria, place, options } = comparison;
  const { cleared, refusal, isFromEarlierStep } = remarks;
  const { revision } = session;
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
        complete: comparison.pricedMatches === comparison.totalMatches && comparison.unread.length === 0,
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
    ...(cleared.fields.length > 0 ? { cleared_fields: [...cleared.fields] } : {}),
    ...(cleared.amenities.length > 0 ? { cleared_amenities: [...cleared.amenities] } : {}),
    ...(refusal ? { refused_fields: refusedFields(refusal), refusals: refusalBodies(refusal) } : {}),
    ...(isFromEarlierStep ? { from_earlier_step: true as const } : {}),
    all_results_url: allResultsUrl(comparison, network),
    available_requests: resultRequests(
      session,
      links.forSession({ token, revision, view: 'full' }),
      comparison,
    ),
    self_url: resultPath(token),
    terms_url: PATHS.terms,
    notes: notesOn(comparison, [
      ...(refusal ? [PARTLY_REFUSED] : []),
      ...(cleared.amenities.length > 0 ? [FILTERS_TAKEN_OFF] : []),
    ]),
    operator_text: [...OPERATOR_TEXT],
  };
}

/** For a later request, of which nothing was refused and nothing cleared. */
export function withoutRemarks(result: ResultBody): ResultBody {
  const { refused_fields: _r, refusals: _f, cleared_fields: _c, cleared_amenities: _a, ...rest } = result;
  const { from_earlier_step: _e, ...plain } = rest;
  const notes = [PARTLY_REFUSED, FILTERS_TAKEN_OFF].reduce(
    (text, sentence) => text.replace(`${sentence} `, ''),
    plain.notes,
  );
  return { ...plain, notes };
}

/** Names every criterion, so that a new one does not compile until it is decided whether the query shows it. */
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

/** Only for a search that is locked to one brand: no website lists the results of several. */
function allResultsUrl({ criteria }: Comparison, network: Network): string | null {
  const brand = criteria.brand === null ? undefined : network.brands.get(criteria.brand);
  return brand?.website.resultsUrl ? stayLink(brand.website.resultsUrl, brand, criteria, true) : null;
}
