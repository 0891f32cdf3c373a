import { hash } from 'node:crypto';

/** The frame of the entry and of the guide: one style, so that one content security policy fits both. */
export function styledPage(
  { title, kicker, heading, lede }: Readonly<Record<'title' | 'kicker' | 'heading' | 'lede', string>>,
  /** Markup; the other texts are escaped here. */
  main: string,
  /** A whole line for the head. */
  meta = '',
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${meta}<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">${escapedHtml(kicker)}</p>
<h1>${escapedHtml(heading)}</h1>
<p class="lede">${escapedHtml(lede)}</p>
</header>
${main}
</main>
</body>
</html>
`;
}

/** A constant, because the content security policy contains its hash. */
const STYLE = `
:root{color-scheme:light dark;--paper:#faf7f2;--card:#fff;--ink:#1f2a30;--soft:#5a676e;--line:#e4ddd1;--accent:#0b6b62;--tint:#e3f1ee;--warn:#fff3d6;--warn-ink:#5d4300;--code:#10272b;--code-ink:#e6f2ef;--code-soft:#9db8b5}
@media (prefers-color-scheme:dark){:root{--paper:#12191c;--card:#1a2327;--ink:#e8ecea;--soft:#a3b0b3;--line:#2c383c;--accent:#6fd0c1;--tint:#17332f;--warn:#3a2f12;--warn-ink:#f6dfa4;--code:#0b1315}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:0 auto;padding:clamp(2rem,6vw,4.5rem) 1.25rem 3rem}
header{border-bottom:1px solid var(--line);padding-bottom:1.75rem}
.kicker{margin:0 0 .5rem;color:var(--accent);font-size:.8125rem;font-weight:650;letter-spacing:.09em;text-transform:uppercase}
h1{margin:0;font:600 clamp(2.25rem,6vw,3.25rem)/1.1 Georgia,"Times New Roman",serif;letter-spacing:-.015em;text-wrap:balance;overflow-wrap:anywhere}
.lede{margin:.9rem 0 0;max-width:38rem;color:var(--soft);font-size:1.1875rem;text-wrap:pretty}
h2{margin:0 0 .9rem;font:600 1.3125rem/1.3 Georgia,"Times New Roman",serif}
section{margin-top:2.25rem}
p{margin:0 0 .75rem}
.notice{margin:1.75rem 0 0;padding:.85rem 1.1rem;border-radius:.6rem;background:var(--warn);color:var(--warn-ink)}
ol{margin:0;padding:0;list-style:none;counter-reset:step}
ol>li{position:relative;padding-left:3rem;counter-increment:step}
ol>li+li{margin-top:1.1rem}
ol>li::before{content:counter(step);position:absolute;left:0;top:-.1rem;width:1.9rem;height:1.9rem;border-radius:50%;background:var(--tint);color:var(--accent);font-weight:650;font-size:.9375rem;line-height:1.9rem;text-align:center}
ol p{margin-bottom:.6rem;text-wrap:pretty}
pre{margin:0;padding:1rem 1.2rem;border-radius:.6rem;background:var(--code);color:var(--code-ink);overflow-x:auto;line-height:1.55}
ol p.or{margin:.8rem 0 .6rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre i{font-style:normal;color:var(--code-soft)}
.brands{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.7rem;margin:0;padding:0;list-style:none}
.brands a{display:block;height:100%;padding:.75rem .95rem;border:1px solid var(--line);border-radius:.6rem;background:var(--card);color:inherit;text-decoration:none}
.brands a:hover{border-color:var(--accent)}
.brands a[aria-current]{border-color:var(--accent);background:var(--tint)}
.brands span{display:block;font-weight:600}
.brands code,.brands small{color:var(--soft)}
.brands small{display:block}
aside{margin-top:2.5rem;padding:1.25rem 1.4rem;border-left:3px solid var(--accent);border-radius:0 .6rem .6rem 0;background:var(--card)}
aside h2{margin-bottom:.35rem;font-size:1.125rem}
aside p{margin:0}
footer{margin-top:2.5rem;padding-top:1.1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9375rem}
footer p{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;margin-bottom:.35rem}
footer p:last-child{display:block}
footer a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.3rem}
`;

/** Allows only the style of the page itself. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const ENTITIES = new Map(Object.entries({ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }));

export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}

/** Escapes names from the network file, which are not markup. */
export function plainMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}
