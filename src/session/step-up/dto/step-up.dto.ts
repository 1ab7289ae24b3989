import { ASSERTION, CEREMONY, CODE } from '../../../authenticator/index.js';
import { Input, passwordField, wordField } from '../../../platform/api/index.js';

const METHODS = ['password', 'totp', 'passkey', 'recovery_code', 'email_code'] as const;

export class StepUpDto {
  @Input(wordField(METHODS, { description: 'A method that `step-up/options` lists.' }))
  method: (typeof METHODS)[number];

  @Input(passwordField('compare'), { optional: true, description: 'Of `password`.' })
  password?: string;

  @Input(CODE, {
    optional: true,
    description: 'Of `totp`, `recovery_code` and `email_code`, as the person typed it.',
  })
  code?: string;

  @Input(CEREMONY, { optional: true, description: 'Of `passkey`.' })
  ceremony?: string;

  @Input(ASSERTION, { optional: true })
  credential?: object;
}

export class StepUpOptionsDto {
  @Input(
    wordField(['email_code'], {
      description:
        'Mails a code of six digits, valid for ten minutes, if `email_code` is a method of the person.',
    }),
    { optional: true },
  )
  method?: 'email_code';
}
