import { objectListField, Output, textField, ulidField, wordField } from '../../platform/api/index.js';

const COORDINATE = '^[\\w-]{43}$';

/** Public part of a signing key (RFC 7517, RFC 7518 section 6.2). */
export class JwkResponse {
  @Output(wordField(['EC']))
  kty: string;
  @Output(wordField(['P-256']))
  crv: string;
  @Output(textField({ max: 43, pattern: COORDINATE, example: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4' }))
  x: string;
  @Output(textField({ max: 43, pattern: COORDINATE, example: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM' }))
  y: string;
  @Output(
    ulidField({
      description: 'The `kid` of the tokens that it signs.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    }),
  )
  kid: string;
  @Output(wordField(['sig']))
  use: string;
  @Output(wordField(['ES256']))
  alg: string;
}

/**
 * Contains several keys during a rotation: look up the key by `kid`, and fetch the set again if it
 * is missing.
 */
export class JwkSetResponse {
  @Output(objectListField(() => JwkResponse, 100))
  keys: JwkResponse[];
}
