import { ASSERTION, CEREMONY, CODE } from '../../../authenticator/index.js';
import { Input, passwordField, wordField } from '../../../platform/api/index.js';

const METHODS = ['password', 'totp', 'passkey', 'recovery_code'] as const;

export class StepUpDto {
  @Input(wordField(METHODS, { description: 'A method that `step-up/options` lists.' }))
  method: (typeof METHODS)[number];

  @Input(passwordField('compare'), { optional: true, description: 'Of `password`.' })
  password?: string;

  @Input(CODE, { optional: true, description: 'Of `totp` and `recovery_code`.' })
  code?: string;

  @Input(CEREMONY, { optional: true, description: 'Of `passkey`.' })
  ceremony?: string;

  @Input(ASSERTION, { optional: true })
  credential?: object;
}
