import type { TestContext } from 'node:test';
import { readConfiguration } from '../../src/app/configuration.ts';
import { greeting } from '../../src/app/process.ts';
import type { CliTools } from '../../src/cli/command.ts';
import { exampleStay } from '../../src/search/example-stay.ts';
import { vendorClock } from '../connectors/vendor-clock.ts';
import { aHome, type EmulatedHome } from '../emulators/homes.ts';
import { startHostaway } from '../emulators/hostaway.ts';
import { startLodgify } from '../emulators/lodgify.ts';
import { createCommandStage } from '../support/command-stage.ts';

const QUICK = 'rate_limits=[{"requests":1000,"seconds":1}]';

/** What an owner types, and what the terminal says, against emulators. Ports, times and the folder are replaced by stable ones. */
export async function recordOwnerSession(t: TestContext): Promise<string> {
  const options = { now: vendorClock.now, limits: 'off' } as const;
  const images: EmulatedHome['images'][number][] = [];
  const lodgify = await startLodgify({
    ...options,
    homes: [
      aHome({ id: 1, amenities: [] }),
      aHome({ id: 2, amenities: [], nightlyPrice: () => 145_00 }),
      aHome({ id: 3, amenities: [], images }),
    ],
  });
  const hostaway = await startHostaway({ ...options, homes: [aHome({ id: 1 }), aHome({ id: 2 })] });
  t.after(() => Promise.all([lodgify.close(), hostaway.close()]));
  const stage = createCommandStage(t);
  const secrets = {
    STAYWIRE_SECRET_HARBOR_API_KEY: lodgify.credentials.api_key ?? '',
    STAYWIRE_SECRET_HILLS_ACCOUNT_ID: hostaway.credentials.account_id ?? '',
    STAYWIRE_SECRET_HILLS_API_KEY: hostaway.credentials.api_key ?? '',
  };
  const session: string[] = [];

  /** Where the emulators are is not shown: an owner has nothing to say about the address of a vendor. */
  async function type(words: readonly string[], shown = words.join(' '), unseen: readonly string[] = []) {
    const { output, notes } = await stage.run([...words, ...unseen], {
      env: { ...secrets },
      tools: { clock: steadyClock(), serve: printGreeting },
    });
    const said = [notes, output].filter((text) => text !== '').join('\n');
    session.push(`$ npx staywire ${shown}\n${said}`);
  }

  let greeted = '';
  async function printGreeting(env: Parameters<CliTools['serve']>[0]): Promise<void> {
    const configuration = await readConfiguration(env);
    if (configuration.kind === 'invalid') throw new Error(configuration.faults.join('\n'));
    const { networkSettings, registry, settings } = configuration.value;
    const text = greeting({
      origin: 'http://127.0.0.1:8080',
      networkSettings,
      registry,
      trustedNetworks: settings.trustedNetworks,
      publicUrl: settings.publicUrl,
      metricsServer: null,
      exampleStay: exampleStay(networkSettings.network, vendorClock.now()),
    });
    greeted = text.split('\nTry it')[0]?.trim() ?? '';
  }

  const page = `http://${lodgify.websiteHost}/homes/{reference}?from={check_in}&to={check_out}&guests={guests}`;
  await type(['init', '--name', 'Atlantic', '--trust-this-machine']);
  await type(
    ['connect', 'harbor', '--system', 'lodgify', '--time-zone', 'Europe/Lisbon', '--stay-url', page],
    `connect harbor --system lodgify --time-zone Europe/Lisbon \\\n    --stay-url '${page}'`,
    ['--set', `url=${lodgify.url}`, QUICK],
  );
  images.push({ path: '/pictures/3/front.png', caption: 'The house from the street' });
  session.push('# The operator adds a picture to 430003.');
  await type(['connect', 'hills', '--system', 'hostaway', '--host', hostaway.websiteHost], undefined, [
    '--set',
    `url=${hostaway.url}`,
    QUICK,
  ]);
  await type(['sync']);
  await type(['serve']);
  return (
    `${session.join('\n\n').trimEnd()}\n${greeted}\n`
      .replaceAll(lodgify.websiteHost, 'harbor.example')
      .replaceAll(hostaway.websiteHost, 'hills.example')
      .replaceAll('http://harbor', 'https://harbor')
      .replaceAll('http://hills', 'https://hills')
      .replaceAll(/read in \d+\.\d s/g, 'read in 1.2 s')
      // The clock of the emulators moves on with the tests before.
      .replaceAll(/\(2027-01-15 \d\d:\d\d UTC\)/g, '(2027-01-15 12:00 UTC)')
      .replaceAll(/\n{3,}/g, '\n\n')
  );
}

/** Time that passes by the call: how long something took is always the same. */
function steadyClock(): CliTools['clock'] {
  let calls = 0;
  return {
    ...vendorClock,
    elapsed: () => {
      calls += 1;
      return calls * 80;
    },
  };
}
