import { objectListField, Output } from '../../platform/api/index.js';

const COORDINATE = '^[\\w-]{43}$';

/** Public part of a signing key (RFC 7517, RFC 7518 section 6.2, RFC 8037 section 2). */
export class JwkResponse {
  @Output.word(['EC', 'OKP', 'RSA'], { description: 'Key type (RFC 7517 section 4.1).' })
  kty: string;
  @Output.word(['P-256', 'Ed25519'], { required: false, description: 'Not of a key of the type RSA.' })
  crv?: string;
  @Output.text({
    required: false,
    max: 43,
    pattern: COORDINATE,
    example: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  })
  x?: string;
  @Output.text({
    required: false,
    max: 43,
    pattern: COORDINATE,
    description: 'Only of a key of the type EC.',
    example: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  })
  y?: string;
  @Output.text({
    required: false,
    max: 512,
    pattern: '^[\\w-]+$',
    description: 'Modulus of a key of the type RSA, which signs ID tokens.',
    example: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc',
  })
  n?: string;
  @Output.text({ required: false, max: 12, pattern: '^[\\w-]+$', example: 'AQAB' })
  e?: string;
  @Output.text({
    max: 43,
    pattern: '^[\\w-]{8,43}$',
    description: 'The `kid` of the tokens that it signs.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  kid: string;
  @Output.word(['sig'], { description: 'Signatures only (RFC 7517 section 4.2).' })
  use: string;
  @Output.word(['ES256', 'EdDSA', 'RS256'], {
    description: 'The one algorithm of the key (RFC 7517 section 4.4).',
  })
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
