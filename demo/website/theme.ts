import type { ImageType } from '../../src/catalogue/catalogue.ts';
import { html, type Markup } from './html.ts';

/** Colours, fonts and corners of a brand. The layout is the same for all. */
export type Theme = {
  readonly paper: string;
  readonly card: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly main: string;
  readonly onMain: string;
  readonly accent: string;
  readonly headFont: string;
  readonly bodyFont: string;
  readonly headWeight: number;
  readonly headSpacing: string;
  readonly headCase: 'none' | 'lowercase' | 'uppercase';
  readonly headStyle: 'normal' | 'italic';
  readonly radius: string;
  readonly mark: Markup;
  /** Style rules of this brand alone. */
  readonly flourish: string;
  /** The large picture on the home page. */
  readonly hero: { readonly reference: string; readonly type: ImageType };
};

const serif =
  '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", "Liberation Serif", Georgia, serif';
const didone = 'Didot, "Bodoni MT", "Playfair Display", "Times New Roman", "Liberation Serif", serif';
const slab = 'Rockwell, "Roboto Slab", "Sitka Text", Cambria, "DejaVu Serif", Georgia, serif';
const mincho = '"Hiragino Mincho ProN", "Yu Mincho", "Noto Serif JP", "Liberation Serif", Georgia, serif';
const grotesk = '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif';
const humanist = '"Gill Sans", "Gill Sans MT", Optima, Candara, "Noto Sans", "DejaVu Sans", sans-serif';
const rounded = '"Avenir Next", Avenir, "Nunito Sans", Nunito, "Trebuchet MS", "Liberation Sans", sans-serif';

const THEMES: Readonly<Record<string, Theme>> = {
  'casa-lumeira': {
    paper: '#fbf6ec',
    card: '#fffdf8',
    ink: '#22304a',
    quiet: '#5b6578',
    line: '#dfd5c0',
    main: '#1f4e8c',
    onMain: '#ffffff',
    accent: '#b4511f',
    headFont: serif,
    bodyFont: serif,
    headWeight: 600,
    headSpacing: '-0.01em',
    headCase: 'none',
    headStyle: 'normal',
    radius: '10px',
    flourish: `.masthead::after { content: ""; display: block; height: 18px; background: radial-gradient(circle at 50% 50%, #e0a03f 2.5px, transparent 3px), radial-gradient(circle at 0 50%, transparent 6px, #1f4e8c 6.5px 8px, transparent 8.5px), radial-gradient(circle at 100% 50%, transparent 6px, #1f4e8c 6.5px 8px, transparent 8.5px), #fff; background-size: 18px 18px; border-bottom: 2px solid #1f4e8c; }
`,
    hero: { reference: 'CL-112', type: 'view' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="4" fill="#fff"/><g fill="none" stroke="#1f4e8c" stroke-width="2.4"><circle cx="20" cy="20" r="8"/><path d="M0 20a20 20 0 0 0 20-20M20 40a20 20 0 0 1 20-20M20 0a20 20 0 0 0 20 20M0 20a20 20 0 0 1 20 20"/></g><circle cx="20" cy="20" r="3.4" fill="#e0a03f"/></svg>`,
  },
  hearthlane: {
    paper: '#f4f0e6',
    card: '#fffcf5',
    ink: '#232b26',
    quiet: '#5c635b',
    line: '#d5ccb8',
    main: '#23402f',
    onMain: '#f7efdc',
    accent: '#8f5a12',
    headFont: slab,
    bodyFont: serif,
    headWeight: 700,
    headSpacing: '-0.015em',
    headCase: 'none',
    headStyle: 'normal',
    radius: '3px',
    flourish: `.masthead { border-bottom: 4px double #d8a648; }
.card, .booking, .finder { box-shadow: 0 0 0 4px var(--card), 0 0 0 5px var(--line); }
.lead::before { content: ""; display: block; width: 4rem; border-top: 3px solid #c08a2d; margin-bottom: 1.2rem; }
`,
    hero: { reference: 'HL-107', type: 'exterior' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><path d="M4 19 20 5l16 14v17H4Z" fill="#f7efdc"/><path d="M14 36V25a6 6 0 0 1 12 0v11Z" fill="#a5583f"/><path d="M28 6h5v8l-5-4Z" fill="#f7efdc"/><path d="M17 36q-2-5 3-9 5 4 3 9Z" fill="#f2b84b"/></svg>`,
  },
  stillehus: {
    paper: '#ffffff',
    card: '#ffffff',
    ink: '#1d2022',
    quiet: '#666b6f',
    line: '#e2e2de',
    main: '#2a2e31',
    onMain: '#ffffff',
    accent: '#7d6322',
    headFont: grotesk,
    bodyFont: grotesk,
    headWeight: 300,
    headSpacing: '-0.035em',
    headCase: 'lowercase',
    headStyle: 'normal',
    radius: '0',
    flourish: `.masthead { background: #fff; color: var(--ink); border-bottom: 1px solid var(--line); }
.hero .words { position: static; background: none; color: var(--ink); padding: 2.5rem 0 4.5rem; }
.hero { background: #fff; }
.hero h1 { text-shadow: none; }
.hero + .wrap .finder { box-shadow: none; margin-top: -2.5rem; }
.card { border: 0; }
.card .text { padding: 0.9rem 0 0; }
.card:hover { box-shadow: none; }
.card:hover h3 { text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
`,
    hero: { reference: 'SH-110', type: 'view' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><path d="M3 37V17L20 4l17 13v20" fill="none" stroke="currentColor" stroke-width="2"/><path d="M12 37h16" stroke="#c79a3f" stroke-width="3"/></svg>`,
  },
  driftlark: {
    paper: '#fff8f1',
    card: '#ffffff',
    ink: '#173b40',
    quiet: '#4c686c',
    line: '#f0ddcb',
    main: '#0d7377',
    onMain: '#ffffff',
    accent: '#c23b22',
    headFont: rounded,
    bodyFont: rounded,
    headWeight: 800,
    headSpacing: '-0.025em',
    headCase: 'none',
    headStyle: 'normal',
    radius: '22px',
    flourish: `.hero::after { content: ""; position: absolute; inset: auto 0 -1px; height: 22px; background: radial-gradient(circle at 22px 30px, var(--paper) 26px, transparent 27px) 0 0 / 44px 22px repeat-x; }
button, .button { border-radius: 999px; background: #c23b22; color: #fff; }
button:hover, .button:hover { background: #a32f19; }
button.second { color: #c23b22; box-shadow: inset 0 0 0 2px #c23b22; }
`,
    hero: { reference: 'DR-113', type: 'outdoor' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><circle cx="28" cy="12" r="7" fill="#ffd166"/><path d="M2 26q6-6 12 0t12 0 12 0" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/><path d="M2 35q6-6 12 0t12 0 12 0" fill="none" stroke="#ff9f8a" stroke-width="4" stroke-linecap="round"/><path d="M4 14q6-7 10 0q4-7 10 0" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`,
  },
  'quince-and-key': {
    paper: '#f6eedd',
    card: '#fdf8ec',
    ink: '#3a2418',
    quiet: '#6d5644',
    line: '#d8c6a4',
    main: '#6f2232',
    onMain: '#fbf2dd',
    accent: '#5d6526',
    headFont: didone,
    bodyFont: serif,
    headWeight: 400,
    headSpacing: '-0.01em',
    headCase: 'none',
    headStyle: 'italic',
    radius: '2px',
    flourish: `.masthead { border-bottom: 7px double #d9b25a; }
.lead::first-letter { font: 400 3.6em/0.8 var(--head); float: left; padding: 0.08em 0.1em 0 0; color: var(--main); }
.card, .booking, .finder, .receipt { border: 4px double var(--line); }
h2 { padding-bottom: 0.25em; border-bottom: 1px solid var(--line); }
.receipt h2 { border: 0; padding: 0; }
`,
    hero: { reference: 'QK-110', type: 'outdoor' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><circle cx="13" cy="13" r="8" fill="none" stroke="#fbf2dd" stroke-width="3"/><path d="m19 19 16 16m-6-6 5-5m-9 1 4-4" fill="none" stroke="#fbf2dd" stroke-width="3"/><circle cx="13" cy="13" r="3" fill="#e0b64a"/></svg>`,
  },
  kumori: {
    paper: '#f5f3ee',
    card: '#fffefb',
    ink: '#22253a',
    quiet: '#5d6072',
    line: '#dcd8cd',
    main: '#2b3a67',
    onMain: '#ffffff',
    accent: '#b3361f',
    headFont: mincho,
    bodyFont: humanist,
    headWeight: 500,
    headSpacing: '0.02em',
    headCase: 'none',
    headStyle: 'normal',
    radius: '6px',
    flourish: `.masthead { border-top: 6px solid #c8452f; }
h2::before { content: ""; display: inline-block; width: 0.42em; height: 0.42em; background: #c8452f; border-radius: 50%; margin-right: 0.55em; vertical-align: 0.2em; }
footer { background: radial-gradient(circle at 50% 100%, transparent 8px, #2b3a6722 8.5px 10px, transparent 10.5px 14px, #2b3a6722 14.5px 16px, transparent 16.5px) 0 0 / 34px 17px, var(--paper); }
`,
    hero: { reference: 'KM-102', type: 'exterior' },
    mark: html`<svg viewBox="0 0 40 40" aria-hidden="true"><rect x="2" y="2" width="36" height="36" rx="6" fill="#c8452f"/><path d="M9 25q0-6 6-6 2-6 8-5 5 1 5 6 5 0 5 5Z" fill="#fff"/><path d="M13 30h14" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`,
  },
};

export function themeOf(source: string): Theme {
  const theme = THEMES[source];
  if (!theme) throw new RangeError(`no theme for ${source}`);
  return theme;
}
