import type { FastifyRequest } from 'fastify';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { readKey } from '../sessions/idempotency.ts';
import type { OpenPage } from './open-page.ts';
import { type BodyReading, NO_BODY, OTHER_MEDIA_TYPE, readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';

/** What a request of Fastify's says, in our words. */
export function bodyOf(request: FastifyRequest): BodyReading {
  if (request.body === OTHER_MEDIA_TYPE) return OTHER_MEDIA_TYPE;
  return request.body instanceof Uint8Array ? readBody(request.body) : NO_BODY;
}

export function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?');
  return end === -1 ? request.url : request.url.slice(0, end);
}

export function operationAt(request: FastifyRequest): OperationName | undefined {
  const path = request.routeOptions.url;
  return (Object.keys(OPERATIONS) as OperationName[]).find((name) => OPERATIONS[name].path === path);
}

export function calledBy(request: FastifyRequest) {
  const path = pathOf(request);
  const operation = Object.values(OPERATIONS).find((one) => one.path === path);
  return { endpoint: operation?.endpoint ?? 'any', path, method: request.method } as const;
}

export function allowedMethods(path: string, openPages: readonly OpenPage[]): readonly string[] | undefined {
  if (openPages.some((page) => page.path === path)) return ['GET', 'HEAD'];
  const operation = Object.values(OPERATIONS).find((one) => one.path === path);
  return operation && methodsOf(operation);
}

/** Where GET only reads stored bytes, HEAD comes with it. */
export function methodsOf({ methods }: Operation): readonly string[] {
  return methods.length === 1 && methods[0] === 'GET' ? ['GET', 'HEAD'] : methods;
}

/** A valid key is echoed always, also where nothing was done under it. */
export function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  const reading = readKey(
    readQuery(request.query ?? {})?.idempotency_key,
    Array.isArray(header) ? header.join(', ') : header,
  );
  return reading.kind === 'key' ? reading.key : null;
}
