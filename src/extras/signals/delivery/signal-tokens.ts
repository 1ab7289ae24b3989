import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import type { Client } from '../../../client/index.js';
import { IdTokens } from '../../../openid/index.js';
import type { SignalEventEntity } from '../events/signal-event.entity.js';
import { VERIFICATION } from '../signal-types.js';

/** Signs security event tokens (RFC 8417, SSF 1.0 section 4). They do not expire. */
@Injectable()
export class SignalTokens {
  constructor(
    private readonly tokens: IdTokens,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  sign(client: Client, event: SignalEventEntity): Promise<string> {
    const { id: jti, type, details } = event;
    const claims = { jti, sub_id: this.subjectOf(event), events: { [type]: details } };
    return this.tokens.signClaims(client, claims, { typ: 'secevent+jwt', seconds: null });
  }

  /** Names whom an event is about by subject identifiers (RFC 9493, SSF 1.0 section 3). */
  private subjectOf({ type, streamId, subject, sessionId }: SignalEventEntity): object {
    if (type === VERIFICATION) return { format: 'opaque', id: streamId };
    const user = { format: 'iss_sub', iss: this.settings.PUBLIC_URL, sub: subject };
    if (sessionId === null) return user;
    const session = { format: 'opaque', id: sessionId };
    return { format: 'complex', ...(subject !== null && { user }), session };
  }
}
