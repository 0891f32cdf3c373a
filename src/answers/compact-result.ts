import type { ResultBody } from '../contract/result-body.ts';

/**
 * The compact view of a stored result: the first picture only, and of what is beyond the base interface only what has
 * something to say. Made from the full view, so that the two never tell different prices.
 */
export function compactResult(full: ResultBody): ResultBody {
  return {
    ...full,
    available_requests: compactRequests(full.available_requests),
    view: 'compact',
    results: full.results.map((option) => ({
      ...option,
      images: { ...option.images, gallery: [] },
    })),
  };
}

/** Every address carries the view on. */
function compactRequests(requests: ResultBody['available_requests']): ResultBody['available_requests'] {
  const text = JSON.stringify(requests, (name, value: unknown) =>
    ADDRESS_MEMBERS.has(name) ? `${value}&view=compact` : value,
  );
  return JSON.parse(text);
}

const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['href', 'url', 'url_template']);
