const END = '<!-- end of generated -->';

/** Replaces what stands between `<!-- generated: name -->` and the next end. What is written by hand stays. */
export function withGeneratedSection(document: string, name: string, content: string): string {
  const start = `<!-- generated: ${name} -->`;
  const from = document.indexOf(start);
  const to = document.indexOf(END, from);
  if (from === -1 || to === -1) throw new Error(`the document has no generated section "${name}"`);
  if (document.indexOf(start, from + 1) !== -1) throw new Error(`there are two sections "${name}"`);
  return `${document.slice(0, from + start.length)}\n\n${content}\n\n${document.slice(to)}`;
}
