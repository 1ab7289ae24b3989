import { Input, Output } from '../../platform/api/index.js';

/** A server-to-server notification of Apple. */
export class AppleNoticeDto {
  @Input.text({
    max: 16_384,
    pattern: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    shape: 'a signed token',
    description: 'JWS of Apple.',
    example: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2FwcGxlaWQuYXBwbGUuY29tIn0.c2ln',
  })
  payload: string;
}

/** Answer to a deletion request, as Facebook reads it. */
export class DeletionReceiptResponse {
  @Output.text({
    max: 500,
    format: 'uri',
    description: 'Where the person reads the state of the deletion.',
    example:
      'https://auth.example.com/api/iam/auth/external/facebook_oauth/data-deletion/69f1c2a05b3d7e1f0123456789abcdef0123456789abcdef',
  })
  url: string;
  @Output.text({
    min: 48,
    max: 48,
    pattern: '^[0-9a-f]{48}$',
    example: '69f1c2a05b3d7e1f0123456789abcdef0123456789abcdef',
  })
  confirmation_code: string;
}

/** State of a deletion. */
export class DeletionStateResponse {
  @Output.word(['completed'])
  status: 'completed';
  @Output.time({ description: 'When everything from Facebook was removed here.' })
  completedAt: string;
}
