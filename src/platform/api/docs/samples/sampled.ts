import type { OperationObject, ParameterObject } from '@nestjs/swagger';

/** Operation that a sample calls, with all that the document says about it. */
export interface Sampled {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
  /** Address of the service. */
  readonly url: string;
}

/** Returns the example of a parameter or a body; the first of several. */
export function valueOf({ example, examples }: Pick<ParameterObject, 'example' | 'examples'>): unknown {
  const [first] = Object.values(examples ?? {});
  return example ?? (first && 'value' in first ? first.value : undefined);
}

/** @returns the parameters of one kind that a request must have */
export const requiredOf = (
  { parameters = [] }: OperationObject,
  place: ParameterObject['in'],
): ParameterObject[] =>
  (parameters as ParameterObject[]).filter((each) => each.in === place && each.required === true);

/** @returns the path with the examples of its parameters, and of the query what is required */
export function addressOf(path: string, operation: OperationObject): string {
  const filled = requiredOf(operation, 'path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(String(valueOf(parameter)))),
    path,
  );
  const query = requiredOf(operation, 'query').map(
    (parameter) => `${parameter.name}=${encodeURIComponent(String(valueOf(parameter)))}`,
  );
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

/** Authorization of an operation of a set-up link, in samples. */
export const SETUP_AUTHORIZATION = 'Bearer gh_setup_…';

/** Returns whether an operation takes a set-up link in place of an access token. */
export const takesSetupLink = ({ security = [] }: OperationObject): boolean =>
  security.some((scheme) => 'setupLink' in scheme);
