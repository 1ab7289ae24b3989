import { applyDecorators } from '@nestjs/common';
import { Problems, Public, Tag } from '../../platform/api/index.js';
import type { ErrorCode } from '../../platform/errors/index.js';
import { StrictBucket, StrictLimit } from '../../platform/rate-limit/index.js';

/** API tag "Signals". */
export const SignalsTag = () =>
  Tag(
    'Signals',
    'Security events for other services (Shared Signals Framework 1.0): ended sessions and the like.',
  );

const SIGNALS_LIMIT = new StrictBucket('signal-streams', 'RATE_REFRESH');

/** Opens a route to receivers, which authenticate themselves by HTTP Basic. */
export const ByReceiver = (...problems: ErrorCode[]) =>
  applyDecorators(
    Public('the client authenticates itself'),
    StrictLimit(SIGNALS_LIMIT),
    Problems('invalid-client', ...problems),
  );
