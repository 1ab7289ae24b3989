import { Input } from '../../platform/api/index.js';
import type { OperatorRole } from '../../kernel/index.js';
import { KEY_NAME, KEY_SCOPES, NETWORKS } from '../keys/key.dto.js';
import { ACCOUNT_NAME } from '../machine.declarations.js';

/** A key of the platform lives at most this long: it opens the data of every organization. */
const MAX_LIFETIME_DAYS = 365;

export class NewPlatformAccountDto {
  @Input(ACCOUNT_NAME)
  name: string;

  @Input.word(['support', 'admin'])
  role: OperatorRole;
}

export class NewPlatformKeyDto {
  @Input(KEY_NAME)
  name: string;

  @Input.integer({
    optional: true,
    min: 1,
    max: MAX_LIFETIME_DAYS,
    example: 90,
    description: 'Lifetime in days.',
  })
  days?: number;

  @Input(KEY_SCOPES, { optional: true })
  scopes?: string[];

  @Input(NETWORKS, { optional: true })
  networks?: string[];
}
