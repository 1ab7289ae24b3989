import type { OperationObject } from '@nestjs/swagger';
import {
  addressOf,
  requiredOf,
  type Sampled,
  SETUP_AUTHORIZATION,
  takesSetupLink,
  valueOf,
} from './sampled.js';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the call of an operation by curl. `$ACCESS_TOKEN` is a variable of the shell. */
export function curlSample({ method, path, operation, url }: Sampled): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url + addressOf(path, operation))}`,
    ...authorizationOf(operation),
    ...requiredOf(operation, 'header').map(
      (header) => `-H ${quote(`${header.name}: ${String(valueOf(header))}`)}`,
    ),
    ...bodyOf(operation),
  ].join(' \\\n  ');
}

function authorizationOf(operation: OperationObject): string[] {
  if (takesSetupLink(operation)) return [`-H 'Authorization: ${SETUP_AUTHORIZATION}'`];
  return operation.security?.length ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : [];
}

function bodyOf({ requestBody }: OperationObject): string[] {
  if (!requestBody || '$ref' in requestBody) return [];
  const [type, media = {}] = Object.entries(requestBody.content)[0] ?? [];
  if (type === 'application/x-www-form-urlencoded')
    return Object.entries(valueOf(media) as Record<string, string>).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
    );
  const body = valueOf(media);
  const header = `-H 'Content-Type: ${type}'`;
  if (typeof body === 'string') return [header, `--data-binary ${quote(body)}`];
  return [header, `-d ${quote(JSON.stringify(body, null, 2))}`];
}
