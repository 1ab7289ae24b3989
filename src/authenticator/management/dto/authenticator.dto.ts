import { Input } from '../../../platform/api/index.js';
import { AUTHENTICATOR_NAME, CEREMONY, CODE, REGISTRATION } from '../../factor.fields.js';
import type { RegistrationCredential } from '../../passkeys/credential.js';

export class ConfirmTotpDto {
  @Input(CODE)
  code: string;
  @Input(AUTHENTICATOR_NAME, { optional: true })
  name?: string;
}

export class AddPasskeyDto {
  @Input(CEREMONY)
  ceremony: string;
  @Input(REGISTRATION)
  credential: RegistrationCredential;
  @Input(AUTHENTICATOR_NAME, { optional: true })
  name?: string;
}

export class RenameAuthenticatorDto {
  @Input(AUTHENTICATOR_NAME)
  name: string;
}
