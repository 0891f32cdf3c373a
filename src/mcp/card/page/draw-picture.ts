import type { CardStay } from '../content/card-stay.ts';
import { isWebLink } from '../content/web-link.ts';
import { element, icon } from './element.ts';

const HOUSE = 'M3 11.5 12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6';

/** An icon replaces a picture that is missing or fails to load. */
export function drawPicture({ picture }: CardStay): HTMLElement {
  const frame = element('div', { class: 'picture' }, icon(HOUSE));
  if (picture === null || !isWebLink(picture.url)) return frame;
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
