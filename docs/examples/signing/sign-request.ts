/** Opens a session on a Staywire network with a signed request: node sign-request.ts <network> <agent> */
import * as crypto from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [network, agent] = process.argv.slice(2).map((argument) => argument.replace(/\/+$/, ''));
if (!network || !agent) {
  console.error('usage: node sign-request.ts https://stays.example https://agent.example');
  process.exit(2);
}

// Made once. Whoever has the private key is your assistant.
if (!existsSync('signing-key.pem')) {
  const pem = crypto.generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync('signing-key.pem', pem, { mode: 0o600 });
}
const privateKey = crypto.createPrivateKey(readFileSync('signing-key.pem'));
const { crv, kty, x } = crypto.createPublicKey(privateKey).export({ format: 'jwk' });
// The thumbprint of RFC 7638: these members in this order, without blanks.
const keyid = crypto.createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
// To be published at <agent>/.well-known/http-message-signatures-directory.
writeFileSync('directory.json', JSON.stringify({ keys: [{ kty, crv, x, kid: keyid, use: 'sig' }] }));

function signatureOf({ host }: URL): Record<string, string> {
  const created = Math.floor(Date.now() / 1000);
  const covered = '("@authority" "signature-agent";key="sig1")';
  const times = `created=${created};expires=${created + 60}`;
  const nonce = crypto.randomBytes(32).toString('base64url');
  const params = `${covered};${times};keyid="${keyid}";alg="ed25519";nonce="${nonce}";tag="web-bot-auth"`;
  const base = `"@authority": ${host}\n"signature-agent";key="sig1": "${agent}"\n`;
  const signature = crypto.sign(null, Buffer.from(`${base}"@signature-params": ${params}`), privateKey);
  return {
    'Signature-Agent': `sig1="${agent}"`,
    'Signature-Input': `sig1=${params}`,
    Signature: `sig1=:${signature.toString('base64')}:`,
  };
}

const address = new URL('/ai/v1/auth', network);
const answer = await fetch(address, { method: 'POST', headers: signatureOf(address) });
console.log(answer.status, await answer.text());
