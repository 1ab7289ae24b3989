import { AppError } from '../platform/errors/index.js';
import { isRecoveryCode, normalizeRecoveryCode } from './recovery-codes/recovery-code.js';
import { normalizeTypedCode } from './typed-code.js';
import type { AssertionAnswer } from './passkeys/passkey.service.js';
import type { AssertionCredential } from './passkeys/credential.js';

/** Members of a request that answers with a code or with a passkey. */
export interface AnswerFields {
  readonly code?: string;
  readonly ceremony?: string;
  readonly credential?: object;
}

/**
 * Returns the code of an answer, normalized.
 * @throws {AppError} validation-error on `code` if it is missing, or cannot be one of the method:
 *   it costs no try
 */
export function requireCode({ code }: AnswerFields, method: 'totp' | 'recovery_code' | 'email_code'): string {
  if (code === undefined) throw AppError.violation('code', 'is required with this method');
  return method === 'recovery_code' ? readRecoveryCode(code) : readSixDigits(code);
}

function readRecoveryCode(typed: string): string {
  const code = normalizeRecoveryCode(typed);
  if (!isRecoveryCode(code)) throw AppError.violation('code', { id: 'authenticator.no-recovery-code' });
  return code;
}

function readSixDigits(typed: string): string {
  const code = normalizeTypedCode(typed);
  if (!/^\d{6}$/.test(code)) throw AppError.violation('code', { id: 'authenticator.no-six-digits' });
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
