import type { OperationObject, ParameterObject } from '@nestjs/swagger';
import { requiredOf, type Sampled, SETUP_AUTHORIZATION, takesSetupLink, valueOf } from './sampled.js';
import { successOf } from './success-of.js';

/** Maximum length of a line. */
const WIDTH = 72;

/**
 * Returns the call of an operation by `@gatehouse/client`.
 * @param own statement that uses a method of the client for this operation
 * @returns null if programs do not call the operation: a page, a form or a redirect
 */
export function clientSample({ method, path, operation, url }: Sampled, own?: string): string | null {
  if (!isForPrograms(operation)) return null;
  return `import { Gatehouse } from '@gatehouse/client';

const gatehouse = new Gatehouse({ url: '${url}' });
${own ?? callOf(method, path, operation)}
`;
}

function callOf(method: string, path: string, operation: OperationObject): string {
  const options = optionsOf(operation);
  const [, success] = successOf(operation) ?? [];
  const call = `${success?.content ? 'const { data } = ' : ''}await gatehouse.${method.toLowerCase()}('${path}'`;
  return options === null ? `${call});` : `${call}, ${literalOf(options, '', WIDTH - call.length)});`;
}

function optionsOf(operation: OperationObject): object | null {
  const params = Object.fromEntries(
    (['path', 'query', 'header'] as const).flatMap((place) => {
      const parameters = requiredOf(operation, place);
      return parameters.length > 0 ? [[place, Object.fromEntries(parameters.map(entryOf))]] : [];
    }),
  ) as object;
  const { requestBody } = operation;
  const body = requestBody && 'content' in requestBody && requestBody.content['application/json'];
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body && { body: valueOf(body) }),
    ...(takesSetupLink(operation) && { headers: { Authorization: SETUP_AUTHORIZATION } }),
  };
  return Object.keys(options).length > 0 ? options : null;
}

const entryOf = (parameter: ParameterObject): [string, unknown] => [parameter.name, valueOf(parameter)];

function isForPrograms(operation: OperationObject): boolean {
  const { requestBody } = operation;
  const body = requestBody && 'content' in requestBody ? Object.keys(requestBody.content) : [];
  const [status, success] = successOf(operation) ?? [];
  const types = [...body, ...Object.keys(success?.content ?? {})];
  return status !== undefined && types.every((type) => type === 'application/json');
}

/** Returns a value as an expression of TypeScript, as Prettier writes it. */
function literalOf(value: unknown, indent: string, room = WIDTH): string {
  if (typeof value === 'string')
    return `'${value.replace(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, indent)).join(', ')}]`;
  const entries = Object.entries(value).map(
    ([name, item]) => `${/^[\w$]+$/.test(name) ? name : `'${name}'`}: ${literalOf(item, inner)}`,
  );
  const short = `{ ${entries.join(', ')} }`;
  if (entries.length === 0) return '{}';
  if (indent.length + short.length < room && !short.includes('\n')) return short;
  return `{\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}}`;
}
