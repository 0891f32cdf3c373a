import { readFileSync, writeFileSync } from 'node:fs';
import { circumstances } from './circumstances.ts';
import type { Figure } from './figure.ts';
import { withGeneratedSection } from './generated-section.ts';
import { markdownTable, plainTable } from './table.ts';

/** The generated sections of the document. */
export type SectionName = 'service' | 'gate' | 'nodes' | 'soak' | 'index' | 'peers';

export type Picture = { readonly file: string; readonly alt: string; readonly svg: string };

/** What a run has measured, for the terminal and for the document. */
export type BenchReport = {
  add(section: SectionName, figures: readonly Figure[], picture?: Picture): void;
  table(): string;
  isEveryGoalMet(): boolean;
  /** Replaces the given sections; those that this run has not measured stay as they are. */
  write(sections: readonly SectionName[], now: Date): void;
};

/** `root` is the folder of the project. */
export function createBenchReport(root: URL): BenchReport {
  const figures = new Map<SectionName, Figure[]>();
  const pictures = new Map<SectionName, Picture>();
  const all = () => [...figures.values()].flat();
  return {
    add(section, added, picture) {
      figures.set(section, [...(figures.get(section) ?? []), ...added]);
      if (picture) pictures.set(section, picture);
    },
    table: () => plainTable(all()),
    isEveryGoalMet: () => all().every(({ isMet }) => isMet !== false),
    write(sections, now) {
      for (const section of sections) {
        const measured = figures.get(section);
        if (!measured) continue;
        const file = new URL('docs/benchmarks.md', root);
        const picture = pictures.get(section);
        const shown = picture ? [`![${picture.alt}](pictures/${picture.file})`] : [];
        const content = [circumstances(now), markdownTable(measured), ...shown].join('\n\n');
        writeFileSync(file, withGeneratedSection(readFileSync(file, 'utf8'), section, content));
        if (picture) writeFileSync(new URL(`docs/pictures/${picture.file}`, root), picture.svg);
      }
    },
  };
}
