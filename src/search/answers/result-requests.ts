import type { PayloadField } from '../../contract/payload-fields.ts';
import type { ResultBody } from '../../contract/result-body.ts';
import { MAX_REFINE_OPTIONS, PATHS } from '../../contract/vocabulary.ts';
import type { Session } from '../../sessions/session.ts';
import type { Alternatives, WayField } from '../alternatives.ts';
import { askedFields } from '../asked-fields.ts';
import type { Comparison } from '../comparison.ts';
import { canAskAgain, earliestAgain } from './ask-again.ts';
import type { SessionLinks } from './links.ts';

/** Of the most common amenities: each address is some 70 tokens of a compact result. The refine step has more of them. */
const MAX_LINKED_OPTIONS = 8;

/** The ways on from a result: narrow it, take the filters off, change an answer. */
export function resultRequests(
  session: Session,
  links: SessionLinks,
  comparison: Pick<Comparison, 'alternatives' | 'askAgainAt' | 'validUntil'>,
): ResultBody['available_requests'] {
  const { alternatives, askAgainAt } = comparison;
  const offers = session.result?.amenityOffers ?? [];
  const applying = links.supply('amenities');
  const { order } = askedFields(session);
  // Supplying an answer that stands asks for prices anew while a brand was silent.
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
              ...(ordinal < MAX_LINKED_OPTIONS ? { url: applying(offer.value, `refine-${ordinal}`) } : {}),
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
            href: links.supply('amenities')('', 'clear'),
          },
        }),
    ...(session.result?.isPartial && last !== undefined && canAskAgain(comparison)
      ? {
          ask_again: {
            method: 'GET',
            path: PATHS.search,
            href: links.supply(last)(String(session.payload[last]), 'again'),
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
  const [way] = Object.hasOwn(alternatives, field) ? (alternatives[field as WayField] ?? []) : [];
  return way === undefined
    ? {}
    : { url: links.supplyAll(way, `near-${field}`), changes: way.map((one) => one.field) };
}

/** A field with two values has only one other; the rest take any value that fits. */
function changeOf(field: PayloadField, { payload }: Session, links: SessionLinks) {
  const value = payload[field];
  return typeof value === 'boolean'
    ? { url: links.supply(field)(String(!value), `change-${field}`) }
    : { url: links.choices(field), url_template: links.template([field]) };
}
