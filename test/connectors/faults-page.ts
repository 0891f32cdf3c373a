import { FAULT_KINDS, type FaultKind } from '../emulators/faults.ts';
import { FAULTY_CALLS, type FaultCell, type FaultOutcome, type FaultyCall } from './fault-cell.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

/** Each cell with what became of it. */
export type FaultTable = Map<FaultCell, FaultOutcome>;

const FAULTS: Readonly<Record<FaultKind, string>> = {
  slow: 'no answer',
  error_500: 'status 500',
  truncated_json: 'half of the JSON',
  wrong_types: 'numbers as text, text as numbers, lists as objects',
  html_error_page: 'a page of HTML with status 200',
  redirect: 'a redirect',
  oversized: '64 MiB',
  drip_fed: 'a byte every 200 ms',
  expired_token: 'the token is refused once',
  empty_body: 'nothing, with status 200',
  connection_reset: 'the connection is reset',
  rate_limited: 'too many requests',
};

const CALLS: Readonly<Record<FaultyCall, { readonly title: string; readonly text: string }>> = {
  token: {
    title: 'The call for a token',
    text: 'The failure of the price that needed the token. A dash: the vendor has no tokens, only a key.',
  },
  catalogue: { title: 'The catalogue', text: 'The reading fails as a whole, and the last good state stays.' },
  calendar: {
    title: 'A calendar',
    text: 'A calendar that cannot be read is dropped, or the reading fails.',
  },
  quote: {
    title: 'A price',
    text: 'The home is left out of the comparison, and `coverage` counts it as failed.',
  },
};

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'works: sent again with a new token',
  held_back: 'dropped',
  held_back_for_one: 'dropped; the other home is read',
  rejected_for_one: '`rejected`; the other home is priced',
};

const NEEDS_AUTHORIZATION = ' ¹';

/** The page of the documents that shows what each fault of a vendor leads to. */
export function faultsPage(
  vendors: readonly EmulatedVendorSystem[],
  table: FaultTable,
  endsAuthorization: (cell: FaultCell) => boolean,
): string {
  const cells = [...table.keys()];
  function textOf(call: FaultyCall, fault: FaultKind, vendor: EmulatedVendorSystem): string {
    const cell = cells.find((one) => one.call === call && one.fault === fault && one.vendor === vendor);
    if (!cell) return '–';
    const outcome = table.get(cell) ?? '';
    return (OUTCOMES[outcome] ?? `\`${outcome}\``) + (endsAuthorization(cell) ? NEEDS_AUTHORIZATION : '');
  }
  const sections = FAULTY_CALLS.flatMap((call) => [
    `## ${CALLS[call].title}`,
    '',
    CALLS[call].text,
    '',
    rowOf(['the vendor answers with', ...vendors.map(({ name }) => name)]),
    rowOf(['---', ...vendors.map(() => '---')]),
    ...FAULT_KINDS.map((fault) =>
      rowOf([FAULTS[fault], ...vendors.map((vendor) => textOf(call, fault, vendor))]),
    ),
    '',
  ]);
  return [
    '# Faults of vendors',
    '',
    '<!-- Written by test/connectors/faults.test.ts: npm run generate:faults -->',
    '',
    'Measured by the tests, with each connector on an emulator of its vendor that answers one kind of call wrongly. In every cell, no',
    'redirect was followed, at most 24 MiB of an answer were read, a call without an end ended with its time, a brand with another account',
    'was priced as usual, and all calls worked again when the fault was gone.',
    '',
    ...sections,
    ...(cells.some(endsAuthorization)
      ? [
          '¹ The vendor gives a new refresh token with each token, and the one before is taken to have ended. When the answer with the new one is',
          'lost, the owner has to authorise the application again; until then calls are `rejected`, and the message says which credentials to renew.',
          '',
        ]
      : []),
  ].join('\n');
}

function rowOf(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}
