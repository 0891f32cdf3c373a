import { invalid, type Reading, valid } from './reading.ts';

const MAIL_ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Where somebody can be reached, as a URI: from an e-mail address, or an https, mailto or tel address. */
export function readContact(text: string): Reading<string> {
  if (/^(mailto|tel):[!-~]+$/.test(text)) return valid(text);
  if (MAIL_ADDRESS.test(text)) return valid(`mailto:${encodeURI(text)}`);
  const url = /^https:\/\//i.test(text) ? URL.parse(text) : null;
  return url ? valid(url.href) : invalid('an e-mail address, or an https, mailto or tel address');
}
