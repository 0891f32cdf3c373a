import { type Theme, themeOf } from './theme.ts';

/** One style sheet for all brands, with the colours and fonts of this one. */
export function styleOf(source: string): string {
  const theme = themeOf(source);
  return `${variables(theme)}${LAYOUT}${theme.flourish}`;
}

function variables(theme: Theme): string {
  return `:root {
  --paper: ${theme.paper}; --card: ${theme.card}; --ink: ${theme.ink}; --quiet: ${theme.quiet}; --line: ${theme.line};
  --main: ${theme.main}; --on-main: ${theme.onMain}; --accent: ${theme.accent}; --radius: ${theme.radius};
  --head: ${theme.headFont}; --body: ${theme.bodyFont}; --head-weight: ${theme.headWeight};
  --head-spacing: ${theme.headSpacing}; --head-case: ${theme.headCase}; --head-style: ${theme.headStyle};
}
`;
}

const LAYOUT = `*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--body); }
img, svg { display: block; max-width: 100%; height: auto; }
a { color: var(--main); text-underline-offset: 0.18em; }
h1, h2, h3 { font-family: var(--head); font-weight: var(--head-weight); font-style: var(--head-style); letter-spacing: var(--head-spacing); text-transform: var(--head-case); line-height: 1.15; margin: 0 0 0.5em; text-wrap: balance; }
h1 { font-size: clamp(1.9rem, 4.2vw, 2.9rem); }
h2 { font-size: clamp(1.4rem, 2.6vw, 1.85rem); }
h3 { font-size: 1.2rem; }
p { margin: 0 0 1em; max-width: 62ch; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrap { max-width: 1120px; margin: 0 auto; padding: 0 1.25rem; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: 0.6rem 1rem; z-index: 2; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--quiet); }
.small { font-size: 0.9rem; }

.masthead { background: var(--main); color: var(--on-main); }
.masthead .wrap { display: flex; align-items: center; gap: 1.5rem; min-height: 4.25rem; flex-wrap: wrap; }
.brand { display: flex; align-items: center; gap: 0.7rem; color: inherit; text-decoration: none; font-family: var(--head); font-weight: var(--head-weight); font-style: var(--head-style); letter-spacing: var(--head-spacing); text-transform: var(--head-case); font-size: 1.5rem; }
.brand svg { width: 2.1rem; height: 2.1rem; }
.masthead nav { margin-left: auto; display: flex; gap: 1.4rem; }
.masthead nav a { color: inherit; text-decoration: none; padding: 0.6rem 0; }
.masthead nav a:hover { text-decoration: underline; }

.hero { position: relative; background: var(--main); overflow: hidden; }
.hero > img { width: 100%; height: clamp(20rem, 46vw, 32rem); object-fit: cover; object-position: 50% 72%; }
.hero .words { position: absolute; inset: auto 0 0; padding: 5rem 0 5.5rem; color: #fff; background: linear-gradient(transparent, rgb(0 0 0 / 0.5) 62%); }
.hero h1 { margin: 0; font-size: clamp(2.1rem, 5.4vw, 3.9rem); text-shadow: 0 1px 18px rgb(0 0 0 / 0.35); max-width: 17em; }
.finder { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.1rem; display: grid; gap: 0.9rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); align-items: end; }
.hero + .wrap .finder { position: relative; margin-top: -3rem; box-shadow: 0 18px 40px -22px rgb(0 0 0 / 0.45); }
label { display: block; font-size: 0.85rem; color: var(--quiet); margin-bottom: 0.25rem; }
input, select, button, .button { font: inherit; min-height: 2.9rem; border-radius: calc(var(--radius) * 0.6); }
input, select { width: 100%; padding: 0.5rem 0.7rem; border: 1px solid color-mix(in srgb, var(--quiet) 60%, var(--line)); background: #fff; color: var(--ink); }
button, .button { border: 0; background: var(--main); color: var(--on-main); padding: 0.65rem 1.3rem; font-weight: 600; cursor: pointer; text-decoration: none; display: inline-block; text-align: center; }
button:hover, .button:hover { background: color-mix(in srgb, var(--main) 86%, #000); }
.finder button { width: 100%; }
button.second { background: transparent; color: var(--main); box-shadow: inset 0 0 0 1.5px var(--main); }
button.second:hover { background: color-mix(in srgb, var(--main) 8%, transparent); }
.section { padding: 3rem 0 0; }
.lead { font-size: clamp(1.15rem, 2vw, 1.35rem); line-height: 1.5; max-width: 44ch; }

.grid { list-style: none; margin: 0; padding: 0; display: grid; gap: 1.6rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); }
.card { position: relative; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; display: flex; flex-direction: column; height: 100%; transition: box-shadow 0.2s; }
.card:hover { box-shadow: 0 16px 34px -22px rgb(0 0 0 / 0.5); }
.card img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover; background: var(--line); }
.card .text { padding: 1rem 1.1rem 1.1rem; display: flex; flex-direction: column; flex: 1; gap: 0.2rem; }
.card h3, .card p { margin: 0; }
.card h3 a { color: inherit; text-decoration: none; }
.card h3 a::after { content: ""; position: absolute; inset: 0; }
.card h3 a:focus-visible { outline: none; }
.card:has(a:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.card p.price { margin-top: auto; padding-top: 0.7rem; }
.cities .card .text { flex-direction: row; justify-content: space-between; align-items: baseline; }
.price strong, .total strong { font-family: var(--head); font-weight: 700; font-size: 1.35rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.where { display: flex; justify-content: space-between; flex-wrap: wrap; gap: 0 0.8rem; }
.rating { white-space: nowrap; }
.rating b { color: var(--accent); }

.gallery { display: grid; gap: 0.5rem; grid-template-columns: repeat(4, 1fr); border-radius: var(--radius); overflow: hidden; margin: 1.5rem 0 2rem; }
.gallery img { width: 100%; height: 100%; aspect-ratio: 3 / 2; object-fit: cover; background: var(--line); }
.gallery img:first-child { grid-column: span 2; grid-row: span 2; }
.page { padding-top: 2.2rem; }
.crumbs { font-size: 0.92rem; color: var(--quiet); margin: 0 0 0.8rem; }
.columns { display: grid; gap: 2.5rem; grid-template-columns: minmax(0, 1fr) minmax(19rem, 24rem); align-items: start; }
.columns h2:not(:first-child) { margin-top: 2.2rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; padding: 0; margin: 0 0 1.4rem; list-style: none; color: var(--quiet); }
.amenities { list-style: none; padding: 0; margin: 0 0 2rem; columns: 2 14rem; }
.amenities li { padding: 0.3rem 0 0.3rem 1.6rem; position: relative; break-inside: avoid; }
.amenities li::before { content: ""; position: absolute; left: 0.1rem; top: 0.78rem; width: 0.8rem; height: 0.42rem; border: solid var(--accent); border-width: 0 0 2.5px 2.5px; rotate: -45deg; }
.booking { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.4rem; position: sticky; top: 1rem; }
.booking form { display: grid; gap: 0.9rem; }
.booking .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0.7rem; }
.booking .wide { width: 100%; }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0 0 0.35rem; }
.total strong { font-size: 1.7rem; }
.breakdown { width: 100%; border-collapse: collapse; margin: 0 0 0.9rem; font-size: 0.95rem; }
.breakdown th { text-align: left; font-weight: 400; color: var(--quiet); padding: 0.26rem 1rem 0.26rem 0; }
.breakdown td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.breakdown tr:last-child > * { padding-bottom: 0.7rem; }
.breakdown caption { text-align: left; }
.divider { border: 0; border-top: 1px solid var(--line); margin: 1.1rem 0; }
.notice { border-left: 4px solid var(--accent); background: color-mix(in srgb, var(--accent) 8%, var(--card)); padding: 0.9rem 1.1rem; margin: 0 0 1.2rem; border-radius: 0 calc(var(--radius) * 0.6) calc(var(--radius) * 0.6) 0; }
.notice p:last-child { margin: 0; }
.fault { color: #a3121f; font-size: 0.9rem; margin: 0.3rem 0 0; }
input[aria-invalid="true"] { border: 2px solid #a3121f; }
.months { display: grid; gap: 1.6rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); margin: 0 0 1rem; }
.month { border-collapse: collapse; width: 100%; font-size: 0.9rem; table-layout: fixed; }
.month caption { text-align: left; font-weight: 600; padding-bottom: 0.4rem; }
.month th { font-weight: 400; color: var(--quiet); padding: 0.2rem 0; }
.month td { text-align: center; padding: 0.32rem 0; border: 1px solid var(--paper); font-variant-numeric: tabular-nums; }
.month .free { background: color-mix(in srgb, var(--main) 13%, var(--card)); }
.month .taken { color: color-mix(in srgb, var(--quiet) 80%, var(--paper)); text-decoration: line-through; }
.month .yours { background: var(--main); color: var(--on-main); font-weight: 700; }
.receipt { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); margin: 0 0 2rem; }
.receipt > img { width: 100%; height: 100%; min-height: 15rem; object-fit: cover; }
.receipt .text { padding: 1.8rem; }
.receipt dl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 1.2rem; margin: 0 0 1.2rem; }
.receipt dt { color: var(--quiet); }
.receipt dd { margin: 0; }
.code { font: 700 1.5rem/1.2 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; letter-spacing: 0.08em; color: var(--accent); }
footer { margin-top: 4rem; border-top: 1px solid var(--line); padding: 1.8rem 0 2.6rem; color: var(--quiet); font-size: 0.92rem; }
footer p { margin: 0 0 0.3em; }
@media (max-width: 54rem) {
  .columns, .receipt { grid-template-columns: minmax(0, 1fr); }
  .booking { position: static; order: -1; }
  .gallery { grid-template-columns: repeat(2, 1fr); }
  .hero .words { padding-bottom: 4.5rem; }
}
@media (max-width: 34rem) {
  .masthead nav { margin-left: 0; width: 100%; padding-bottom: 0.4rem; }
  .masthead .wrap { gap: 0 1.5rem; padding-top: 0.5rem; }
  .finder { grid-template-columns: 1fr 1fr; }
  .finder > :first-child, .finder > :last-child { grid-column: span 2; }
}
@media (prefers-reduced-motion: reduce) { .card { transition: none; } }
`;
