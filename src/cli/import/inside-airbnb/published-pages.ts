const PAGES = 'www.airbnb.com';
const PICTURES = /^a\d\.muscache\.com$/;

/** What the pages of the homes call the parts of a stay. */
export const STAY_PARAMETERS_OF_PAGES = {
  check_in: 'check_in',
  check_out: 'check_out',
  guests: 'adults',
} as const;

/** For files that leave the address of a home's page blank. */
export function publishedPageOf(reference: string): string {
  return `https://${PAGES}/rooms/${encodeURIComponent(reference)}`;
}

/** Whether a host is where every published file has its pages or pictures. On any other a file that was changed may lead. */
export function isPublishedHost(host: string): boolean {
  return host === PAGES || PICTURES.test(host);
}
