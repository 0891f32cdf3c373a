import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { imitate, imitatedHeaders } from './imitation.ts';
import { answerParent, processorTime } from './parent-line.ts';

/**
 * The server that the service is compared with. It uses `node:http` to parse the request, build a body of the same shape and
 * size, serialise it and send it with as many headers. It looks up, checks and stores nothing.
 */
let build: () => unknown = () => ({});
let served = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString());
    served += 1;
    const body = JSON.stringify(build());
    response.writeHead(200, imitatedHeaders(body, served));
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    processorTime,
    /** Sets the answer of the service to send from now on. */
    imitate(body) {
      build = imitate(String(body));
    },
  });
});
