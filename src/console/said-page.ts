import { html } from './html.ts';
import type { ConsolePage } from './layout.ts';

/** A page that says one thing, and how to go on. */
export function saidPage({
  title,
  text,
  link = { href: '/today', label: 'To the first page' },
}: {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}): ConsolePage {
  return {
    title,
    body: html`<div class="card said"><p>${text}</p><p><a class="button" href="${link.href}">${link.label}</a></p></div>`,
  };
}
