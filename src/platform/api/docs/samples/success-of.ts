import type { OperationObject, ResponseObject } from '@nestjs/swagger';

/** @returns status and response of a success; undefined for an operation that redirects */
export function successOf({ responses }: OperationObject): [status: string, ResponseObject] | undefined {
  return Object.entries(responses).find(
    (entry): entry is [string, ResponseObject] => entry[0].startsWith('2') && !('$ref' in (entry[1] ?? {})),
  );
}
