import { STATUS } from '../messages/saml-names.js';

/** Why a request is answered without an assertion (SAML Core 3.2.2.2), by its second-level code. */
const STATUS_FAULTS = {
  AuthnFailed: 'Responder',
  NoPassive: 'Responder',
  RequestDenied: 'Responder',
  NoAuthnContext: 'Requester',
  InvalidNameIDPolicy: 'Requester',
  RequestUnsupported: 'Requester',
  UnsupportedBinding: 'Requester',
} as const;
export type StatusFault = keyof typeof STATUS_FAULTS;

/** A fault that the app is told, at one of its registered addresses. */
export class StatusError extends Error {
  constructor(readonly fault: StatusFault) {
    super(fault);
  }
}

/** Returns the codes of a status, from the outside in. */
export const codesOf = (fault: StatusFault): readonly [string, string] => [
  `${STATUS}:${STATUS_FAULTS[fault]}`,
  `${STATUS}:${fault}`,
];

/** Returns the fault of a request that the decision has ended with an error of OpenID Connect. */
export function faultOf(error: string): StatusFault {
  if (error === 'login_required' || error === 'consent_required') return 'NoPassive';
  return error === 'access_denied' ? 'RequestDenied' : 'AuthnFailed';
}
