import { DEVICE_TOKEN } from '../../authenticator/index.js';
import { Output } from '../../platform/api/index.js';
import { LoginResponse } from '../tokens/token.response.js';

/** Response to a second factor. */
export class SecondFactorTokenResponse extends LoginResponse {
  @Output(DEVICE_TOKEN, {
    required: false,
    description: 'With `rememberDevice`: to be sent with later logins in place of the second factor.',
  })
  deviceToken?: string;
}
