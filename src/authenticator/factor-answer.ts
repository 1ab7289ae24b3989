import { AppError } from '../platform/errors/index.js';
import type { AssertionAnswer } from './passkeys/passkey.service.js';
import type { AssertionCredential } from './passkeys/credential.js';

/** Members of a request that answers with a code or with a passkey. */
export interface AnswerFields {
  readonly code?: string;
  readonly ceremony?: string;
  readonly credential?: object;
}

/** @throws {AppError} validation-error on `code` if it is missing */
export function requireCode({ code }: AnswerFields): string {
  if (code === undefined) throw AppError.violation('code', 'is required with this method');
  return code;
}

/** @throws {AppError} validation-error on `ceremony` or `credential` if it is missing */
export function requireAssertion({ ceremony, credential }: AnswerFields): AssertionAnswer {
  const missing = [
    ...(ceremony === undefined ? ['ceremony'] : []),
    ...(credential === undefined ? ['credential'] : []),
  ];
  if (ceremony === undefined || credential === undefined)
    throw new AppError('validation-error', {
      violations: missing.map((propertyPath) => ({ propertyPath, message: 'is required with this method' })),
    });
  return { ceremony, credential: credential as AssertionCredential };
}
