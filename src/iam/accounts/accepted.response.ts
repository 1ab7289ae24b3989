import { Output, wordField } from '../../platform/api/index.js';

/** Constant response of an operation that must not tell whether it had an effect. */
export class AcceptedResponse {
  @Output(wordField(['accepted']))
  status: 'accepted';
}

/** Constant response to a registration, whether or not the address has an account. */
export class VerificationRequiredResponse {
  @Output(wordField(['verification_required']))
  status: 'verification_required';
}
