import type { CardStay } from '../content/card-stay.ts';
import { linkInWords } from '../content/stay-words.ts';
import { isWebLink } from '../content/web-link.ts';
import { element } from './element.ts';
import type { PageTools } from './page-tools.ts';

/** The operator's own page for this stay. */
export function drawStayLink(stay: CardStay, tools: PageTools): HTMLElement {
  return drawLink({ url: stay.url, words: linkInWords(stay), about: stay.name, className: 'book' }, tools);
}

/** The host opens the address. If it refuses, the browser opens the link, and the address is shown to be copied. */
export function drawLink(
  { url, words, about, className }: { url: string; words: string; about: string; className: string },
  { openLink, announce }: PageTools,
): HTMLElement {
  if (!isWebLink(url))
    return element('p', { class: 'quiet' }, 'The operator gave no address that can be opened.');
  const name = about === '' ? null : element('span', { class: 'unseen' }, `: ${about}`);
  const attributes = { href: url, target: '_blank', rel: 'noopener noreferrer', class: className };
  const link = element('a', attributes, words, name);
  const place = element('div', { class: 'link' }, link);
  let isOpening = false;
  link.addEventListener('click', async (event) => {
    // Leaves the second click, after a refusal of the host, to the browser.
    if (isOpening) return;
    event.preventDefault();
    if (await openLink(url)) return;
    isOpening = true;
    link.click();
    isOpening = false;
    if (place.childElementCount > 1) return;
    place.append(
      element('p', { class: 'address' }, 'If no page opened, copy this address: ', element('code', {}, url)),
    );
    announce('The address of the page is below the link, to copy.');
  });
  return place;
}
