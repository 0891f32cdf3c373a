import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ATTACKS, SPLIT_ATTACKS } from '../../../test/support/operator-texts/attacks.ts';
import { EVASIONS } from '../../../test/support/operator-texts/evasions.ts';
import { FURTHER_ATTACKS } from '../../../test/support/operator-texts/further-attacks.ts';
import { isHeldOut } from '../../../test/support/operator-texts/held-out-half.ts';
import { INNOCENT_TEXTS } from '../../../test/support/operator-texts/innocent.ts';
import { PARAPHRASES } from '../../../test/support/operator-texts/paraphrases.ts';
import { SECOND_ATTACKS, SECOND_TECHNIQUES } from '../../../test/support/operator-texts/second-attacks.ts';
import { SECOND_INNOCENT } from '../../../test/support/operator-texts/second-innocent.ts';
import { UNSEEN_ATTACKS } from '../../../test/support/operator-texts/unseen-attacks.ts';
import { plainContext, plainListing } from '../../../test/support/plain-listing.ts';
import { readListing } from '../../connectors/shared/listings/listing-reader.ts';
import { cleanText, type OperatorText, verbatimText } from './operator-text.ts';

/** The rates that were measured; SECURITY.md states them. A change that lowers one is a change of what is promised. */
const MIN_RATES = {
  tuned: 1,
  heldOut: 0.98,
  secondTuned: 1,
  secondHeldOut: 0.93,
  further: 0.98,
  unseen: 0.28,
};
const MAX_FALSE_ALARMS = 0.01;

const linesOf = (block: string) => block.split('\n').filter((line) => line !== '');
/** What a model could take for structure. Techniques that consist of it are stopped when nothing of it is left. */
const STRUCTURE = /<[a-z/|]|\]\(|\]\[|^(?:human|assistant|system):/i;
const STRUCTURAL: ReadonlySet<string> = new Set(['tags', 'markdown']);

type Attack = { readonly language: string; readonly technique: string; readonly text: string };

const attacks = Object.entries(ATTACKS).flatMap(([language, block]) =>
  linesOf(block).map((line, position) => {
    const [technique = '', ...rest] = line.split(': ');
    const isHeldOut = position % 3 === 2;
    return { language, technique, text: rest.join(': '), isHeldOut };
  }),
);
const secondAttacks = Object.entries(SECOND_ATTACKS).flatMap(([language, techniques]) =>
  SECOND_TECHNIQUES.flatMap((technique) =>
    techniques[technique].map((text) => ({ language, technique, text })),
  ),
);
const withTechnique = (technique: string, blocks: Readonly<Record<string, string>>) =>
  Object.entries(blocks).flatMap(([language, block]) =>
    linesOf(block).map((text) => ({ language, technique, text })),
  );
const further = [...withTechnique('further', FURTHER_ATTACKS), ...withTechnique('paraphrase', PARAPHRASES)];
const unseen = withTechnique('unseen', UNSEEN_ATTACKS);
const evasions = withTechnique('evasion', EVASIONS);
const innocent = Object.values(INNOCENT_TEXTS).flatMap(linesOf);
const secondInnocent = Object.values(SECOND_INNOCENT).flat();

function isStopped({ technique, text }: Attack): boolean {
  const harmless = (outcome: OperatorText) =>
    outcome.kind === 'invalid' || (STRUCTURAL.has(technique) && !STRUCTURE.test(outcome.value.text));
  return harmless(cleanText(text, 300)) && harmless(verbatimText(text, 2000));
}

function isFalseAlarm(text: string): boolean {
  return cleanText(text, 300).kind === 'invalid' || verbatimText(text, 2000).kind === 'invalid';
}

/** "en 7/9, es 5/6": how many were stopped, by a property of the attacks. */
function ratesBy(key: 'language' | 'technique', texts: readonly Attack[]): string {
  return [...Map.groupBy(texts, (attack) => attack[key])]
    .map(([name, group]) => `${name} ${group.filter(isStopped).length}/${group.length}`)
    .join(', ');
}

function rateOf(texts: readonly Attack[]): number {
  return texts.filter(isStopped).length / texts.length;
}

describe('the filter of operators’ texts', () => {
  it('is measured against enough of both kinds', () => {
    const languages = Object.keys(ATTACKS);
    assert.ok(languages.length >= 12 && attacks.length >= 300 && innocent.length >= 300);
    assert.equal(new Set(attacks.map(({ text }) => text)).size, attacks.length, 'no attack counts twice');
    for (const language of languages) {
      const techniques = new Set(
        attacks.filter((attack) => attack.language === language).map(({ technique }) => technique),
      );
      assert.ok(techniques.size >= 6, `${language}: ${[...techniques]}`);
    }
  });

  it('stops attacks and lets honest texts pass at the stated rates', (t) => {
    const tuned = rateOf(attacks.filter(({ isHeldOut }) => !isHeldOut));
    const heldOut = rateOf(attacks.filter(({ isHeldOut }) => isHeldOut));
    const alarms = innocent.filter(isFalseAlarm);
    t.diagnostic(
      `first author: ${percent(tuned)} of the tuned, ${percent(heldOut)} of the held-out attacks; false alarms: ${percent(alarms.length / innocent.length)}`,
    );
    assert.ok(tuned >= MIN_RATES.tuned, percent(tuned));
    assert.ok(heldOut >= MIN_RATES.heldOut, percent(heldOut));
    assert.ok(alarms.length <= innocent.length * MAX_FALSE_ALARMS, alarms.join('\n'));
  });

  it('stops the attacks of a second author at the stated rates, and lets that author’s honest texts pass', (t) => {
    assert.ok(secondAttacks.length >= 180 && secondInnocent.length >= 220);
    const heldOutAttacks = secondAttacks.filter(({ text }) => isHeldOut(text));
    const tuned = rateOf(secondAttacks.filter(({ text }) => !isHeldOut(text)));
    const heldOut = rateOf(heldOutAttacks);
    t.diagnostic(
      `second author: ${percent(tuned)} of the tuned, ${percent(heldOut)} of the held-out attacks`,
    );
    t.diagnostic(`held out, by language: ${ratesBy('language', heldOutAttacks)}`);
    t.diagnostic(`held out, by technique: ${ratesBy('technique', heldOutAttacks)}`);
    assert.ok(tuned >= MIN_RATES.secondTuned, percent(tuned));
    assert.ok(heldOut >= MIN_RATES.secondHeldOut, percent(heldOut));
    for (const half of [true, false]) {
      const texts = secondInnocent.filter((text) => isHeldOut(text) === half);
      const alarms = texts.filter(isFalseAlarm);
      assert.ok(alarms.length <= texts.length * MAX_FALSE_ALARMS, alarms.join('\n'));
    }
  });

  it('stops fewer of the attacks that it has never met', (t) => {
    const rate = rateOf(unseen);
    t.diagnostic(
      `further, tuned with: ${percent(rateOf(further))}; never met: ${percent(rate)}; evading on purpose: ${percent(rateOf(evasions))}`,
    );
    t.diagnostic(`never met, by language: ${ratesBy('language', unseen)}`);
    assert.ok(rateOf(further) >= MIN_RATES.further, percent(rateOf(further)));
    assert.ok(rate >= MIN_RATES.unseen, percent(rate));
  });

  it('reads the fields of a listing together', () => {
    for (const { name, location, summary } of SPLIT_ATTACKS) {
      const { property } = readListing({ ...plainListing, name, location, summary }, plainContext);
      assert.equal(property, null, `${name} ${location} ${summary}`);
    }
  });

  it('lets honest texts stand beside each other', () => {
    const texts = [...innocent, ...secondInnocent].filter((text) => text.length <= 120);
    for (let at = 0; at + 2 < texts.length; at += 3) {
      const [name = '', location = '', summary = ''] = texts.slice(at, at + 3);
      const { property, rejections } = readListing(
        { ...plainListing, name, location, summary },
        plainContext,
      );
      assert.ok(property, JSON.stringify([name, location, summary, rejections]));
    }
  });
});

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`;
}
