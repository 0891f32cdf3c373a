import { type AssistantRegistry, readAssistantRegistry, registryFor } from './access/assistant-registry.ts';
import { type NetworkSettings, readNetwork } from './network/read-network.ts';
import { invalid, type Reading, valid } from './reading/reading.ts';
import { type Environment, readSetting, readSettings, type Settings } from './settings.ts';

/** The settings and the contents of the two files that they name. */
export type Configuration = {
  readonly settings: Settings;
  readonly networkSettings: NetworkSettings;
  readonly registry: AssistantRegistry;
};

/** Reports the faults of the settings and of both files together: a wrong setting does not stop the files from being checked. */
export function readConfiguration(env: Environment): Reading<Configuration> {
  const settings = readSettings(env);
  const network = readNetworkFile(env);
  const listed = readRegistryFile(env);
  if (settings.kind === 'valid' && network.kind === 'valid' && listed.kind === 'valid') {
    return valid({
      settings: settings.value,
      networkSettings: network.value,
      registry: registryFor(listed.value, settings.value.trustedNetworks),
    });
  }
  const faults = [settings, network, listed].flatMap((reading) =>
    reading.kind === 'invalid' ? reading.faults : [],
  );
  return invalid(...faults);
}

function readNetworkFile(env: Environment): Reading<NetworkSettings> {
  const path = readSetting('networkFile', env);
  // Already reported with the settings.
  if (path.kind === 'invalid') return invalid();
  const reading = readNetwork(path.value, env);
  return reading.kind === 'valid'
    ? reading
    : invalid(...reading.faults.map(({ pointer, message }) => `${path.value}${pointer}: ${message}`));
}

/** Null when no file is named. */
function readRegistryFile(env: Environment): Reading<AssistantRegistry | null> {
  const path = readSetting('assistantsFile', env);
  if (path.kind === 'invalid') return invalid();
  if (path.value === null) return valid(null);
  const reading = readAssistantRegistry(path.value);
  return reading.kind === 'valid'
    ? reading
    : invalid(...reading.faults.map((fault) => `${path.value}: ${fault}`));
}
