import { type CallerFacts, headerText } from './caller-facts.ts';

/**
 * A person's browser that opens or prefetches an address. Only browsers can set these headers, not the pages in them, so
 * their presence shows an end user; their absence shows nothing.
 */
export function isBrowserNavigation(facts: CallerFacts): boolean {
  const { headers } = facts;
  if (headers['sec-purpose'] === undefined && headers['sec-fetch-mode'] === undefined) return false;
  return (
    words(headerText(facts, 'sec-purpose')).includes('prefetch') ||
    (words(headerText(facts, 'sec-fetch-mode')).includes('navigate') &&
      words(headerText(facts, 'sec-fetch-dest')).includes('document'))
  );
}

function words(header: string | undefined): readonly string[] {
  return header?.toLowerCase().split(/[\s,;]+/) ?? [];
}
