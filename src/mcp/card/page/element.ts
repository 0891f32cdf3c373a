import { isWebLink } from '../content/card-content.ts';
import type { TravellerFormat } from '../content/traveller-format.ts';

/** Passed to every function that draws a part of the page. */
export type PageTools = {
  readonly format: TravellerFormat;
  /** Time of the drawing, to find periods that have ended. */
  readonly now: number;
  readonly openLink: (url: string) => Promise<boolean>;
  /** Shows further options of the set; null where the host forwards no calls, or they are shown already. */
  readonly showMore: (() => void) | null;
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
};

type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/** Texts become text nodes, so that operators' words are never parsed as markup. Null children are left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** True sets an attribute without a value; false and null remove it. */
function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : value);
  }
}

/** Operators' words may be in a script of another direction than the page. */
export function operatorText<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  attributes: Attributes = {},
): HTMLElementTagNameMap[Tag] {
  return element(tag, { dir: 'auto', ...attributes }, text);
}

const SVG = 'http://www.w3.org/2000/svg';

/** An icon of one path on a grid of 24, hidden from screen readers. */
export function icon(path: string): SVGSVGElement {
  const drawing = document.createElementNS(SVG, 'svg');
  setAttributes(drawing, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' });
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  return drawing;
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

const HOUSE = 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6';

/** An icon replaces a picture that is missing or fails to load. */
export function drawPicture(picture: { readonly url: string; readonly alt: string }): HTMLElement {
  const frame = element('div', { class: 'picture' }, icon(HOUSE));
  if (!isWebLink(picture.url)) return frame;
  const image = element('img', {
    src: picture.url,
    alt: picture.alt,
    loading: 'lazy',
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    width: '640',
    height: '400',
  });
  image.addEventListener('error', () => image.remove());
  frame.append(image);
  return frame;
}
