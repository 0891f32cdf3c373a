import type { RecordedExample } from './recorded-examples.ts';

/** Where `npm start` and the service without settings listen. */
const LOCAL_ORIGIN = 'http://127.0.0.1:8080';

/** The recorded request as a command for a POSIX shell. */
export function curlCommand({ method, request }: RecordedExample, publicUrl: string | null): string {
  const lines = [`curl ${quoted(`${publicUrl ?? LOCAL_ORIGIN}${request.url}`)}`];
  if (request.body !== null) {
    lines.push(
      `  -H ${quoted('content-type: application/json')}`,
      `  -d ${quoted(JSON.stringify(request.body))}`,
    );
  } else if (method === 'POST') lines.push('  -X POST');
  return lines.join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
