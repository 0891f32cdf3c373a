/** The text of the first element of that name; undefined when there is none. */
export function elementText(xml: string, name: string): string | undefined {
  const inner = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml)?.[1];
  return inner?.replace(/^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/, '$1').trim();
}

/** The content of every element of that name. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inner = '']) => inner,
  );
}

/** How the web service answers when nobody asked for JSON; entries of a list are named in the singular. */
export function writeXml(value: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<qloapps xmlns:xlink="http://www.w3.org/1999/xlink">\n${nodes(value)}</qloapps>\n`;
}

function nodes(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `<![CDATA[${value ?? ''}]]>`;
  return Object.entries(value)
    .map(
      ([name, inner]) => `<${name}>${Array.isArray(inner) ? entries(name, inner) : nodes(inner)}</${name}>\n`,
    )
    .join('');
}

function entries(name: string, list: readonly unknown[]): string {
  const one = name.replace(/s$/, '');
  return list.map((entry) => `<${one}>${nodes(entry)}</${one}>`).join('');
}
