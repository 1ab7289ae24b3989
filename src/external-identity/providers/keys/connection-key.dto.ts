import { Input } from '../../../platform/api/index.js';
import { KEY_KINDS, type KeyKind } from './connection-key.entity.js';

const MAX_LEAD_DAYS = 365;

/** A new key of this service at identity providers, by the command line. */
export class RotateConnectionKeyDto {
  @Input.word(KEY_KINDS)
  kind: KeyKind;

  @Input.integer({
    optional: true,
    min: 0,
    max: MAX_LEAD_DAYS,
    example: 30,
    description: 'Days until the key signs.',
  })
  days?: number;
}
