import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EventFeed, type FeedEvent, PLATFORM } from '../../platform/events/index.js';
import { toBody } from '../engine/event-body.js';
import { Signatures } from '../engine/signatures.js';
import { FILTER_SHAPE, matchesType, typesOfStream } from '../matching.js';

const POLL_MS = 500;
const TIMEOUT_MS = 15_000;
const PAGE = 100;
const SECRET_SHAPE = /^whsec_[A-Za-z0-9+/=]{32,100}$/;

/** What an operator listens to. */
interface ListenOptions {
  readonly forwardTo: string;
  /** Organization whose events are forwarded; null for the platform's. */
  readonly organization: TenantId | null;
  /** Names of types or beginnings; empty for all. */
  readonly types: readonly string[];
  /** Secret that signs; null for the Ed25519 key of the service. */
  readonly secret: string | null;
}

/** What was forwarded until the end. */
interface ForwardCounts {
  readonly forwarded: number;
  readonly refused: number;
}

/** Forwards events to a server of a developer, over the feed: it needs no public address. */
@Injectable()
export class EventListener {
  constructor(
    private readonly feed: EventFeed,
    private readonly signatures: Signatures,
    private readonly directory: MembershipDirectory,
  ) {}

  /**
   * Forwards events from now on, in order and once each, until it is aborted. What the server
   * refuses is reported, and not sent again.
   * @throws {AppError} validation-error on `forwardTo`, `organization`, `types` or `secret`
   */
  async listen(
    { forwardTo, organization, types, secret }: ListenOptions,
    report: (line: string) => void,
    signal: AbortSignal,
  ): Promise<ForwardCounts> {
    requireUrl(forwardTo);
    if (secret !== null && !SECRET_SHAPE.test(secret))
      throw AppError.violation('secret', 'must be a secret of a subscription, whsec_…');
    if (organization !== null && (await this.directory.findState(organization, false)) === null)
      throw AppError.violation('organization', 'There is no such organization.');
    const tenantId = organization ?? PLATFORM;
    const names = matchedTypes(tenantId, types);
    let { last: after } = await this.feed.findPosition(tenantId, new Date());
    const count = { forwarded: 0, refused: 0 };
    report(`Listening. Events go to ${forwardTo} ...`);
    while (!signal.aborted) {
      const page = await this.feed.read(tenantId, { after, limit: PAGE, types: names });
      for (const event of page.events) {
        if (signal.aborted) break;
        const answer = await this.forward(tenantId, event, { forwardTo, secret, signal });
        count[answer.isAccepted ? 'forwarded' : 'refused'] += 1;
        report(`${event.type} ${event.subject}: ${answer.text}`);
      }
      after = page.after;
      if (!page.more) await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    return count;
  }

  private async forward(
    tenantId: TenantId,
    event: FeedEvent,
    {
      forwardTo,
      secret,
      signal,
    }: Pick<ListenOptions, 'forwardTo' | 'secret'> & { readonly signal: AbortSignal },
  ): Promise<{ readonly isAccepted: boolean; readonly text: string }> {
    const body = JSON.stringify(toBody(tenantId, event));
    const seconds = Math.floor(Date.now() / 1_000);
    try {
      const { ok, status } = await fetch(forwardTo, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': this.signatures.signPlain(secret, event.id, seconds, body),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return { isAccepted: ok, text: String(status) };
    } catch (error) {
      return { isAccepted: false, text: error instanceof Error ? error.message : 'failed' };
    }
  }
}

function requireUrl(text: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw AppError.violation('forwardTo', 'must be a URL, such as http://localhost:4000');
}

function matchedTypes(tenantId: TenantId, filters: readonly string[]): string[] {
  const names = typesOfStream(tenantId).map(({ name }) => name);
  if (filters.length === 0) return names;
  for (const filter of filters)
    if (!FILTER_SHAPE.test(filter) || !names.some((name) => matchesType(filter, name)))
      throw AppError.violation('types', `there is no type ${filter}`);
  return names.filter((name) => filters.some((filter) => matchesType(filter, name)));
}
