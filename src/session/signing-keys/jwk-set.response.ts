import { ListAnswer, TextAnswer, UlidAnswer, WordAnswer } from '../../platform/api/index.js';

const COORDINATE = '^[\\w-]{43}$';

/** Public part of a signing key (RFC 7517, RFC 7518 section 6.2). */
export class JwkResponse {
  @WordAnswer(['EC'])
  kty: string;
  @WordAnswer(['P-256'])
  crv: string;
  @TextAnswer({ max: 43, pattern: COORDINATE, example: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4' })
  x: string;
  @TextAnswer({ max: 43, pattern: COORDINATE, example: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM' })
  y: string;
  @UlidAnswer({
    description: 'The `kid` of the tokens that it signs.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  kid: string;
  @WordAnswer(['sig'])
  use: string;
  @WordAnswer(['ES256'])
  alg: string;
}

/**
 * Contains several keys during a rotation: look up the key by `kid`, and fetch the set again if it
 * is missing.
 */
export class JwkSetResponse {
  @ListAnswer(() => JwkResponse, 100)
  keys: JwkResponse[];
}
