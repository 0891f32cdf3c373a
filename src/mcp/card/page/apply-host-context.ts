import type { HostContext } from './host-connection.ts';

/** The host's colours that the style sheet uses. A part of them could make text unreadable on our own. */
const COLOURS = [
  '--color-background-primary',
  '--color-background-secondary',
  '--color-background-inverse',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-text-inverse',
  '--color-border-primary',
] as const;
const OTHERS = ['--font-sans', '--border-radius-sm', '--border-radius-md', '--border-radius-lg'] as const;
const EDGES = ['top', 'right', 'bottom', 'left'] as const;

/** Fonts that a host wants fetched are not: the card asks the network for pictures alone. */
export function applyHostContext({ theme, styles, safeAreaInsets }: HostContext): void {
  const { style, dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  const variables = styles?.variables;
  if (variables !== undefined) {
    const hasAll = COLOURS.every((name) => isPlainValue(variables[name]));
    for (const name of COLOURS) style.setProperty(name, hasAll ? String(variables[name]) : '');
    for (const name of OTHERS) style.setProperty(name, isPlainValue(variables[name]) ? variables[name] : '');
  }
  for (const edge of EDGES) {
    const inset = safeAreaInsets?.[edge];
    if (typeof inset === 'number') style.setProperty(`--safe-${edge}`, `${inset}px`);
  }
}

function isPlainValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/url\s*\(/i.test(value);
}
