import { Injectable, SetMetadata, type CustomDecorator } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import type { SessionId, TenantId, UserId } from '../http/index.js';

const ON_LIFECYCLE = 'gatehouse:on-lifecycle';

/** What happens to an account or a membership, and what a listener is told about it. */
export interface LifecycleEvents {
  /** `emailKey`, the canonical form of the address, if there is one, for what was kept under it. */
  'account.erased': { readonly userId: UserId; readonly emailKey: string | null };
  'account.password-reset': { readonly userId: UserId; readonly emailKey: string };
  /** The session that changed the password stays. */
  'account.password-changed': { readonly userId: UserId; readonly sessionId: SessionId };
  'account.suspended': { readonly userId: UserId };
  /** Signed out on every device, or on every other than the caller's. */
  'account.signed-out': { readonly userId: UserId };
  /** One, or all of an account that is erased, in order of tenant. */
  'memberships.ended': { readonly userId: UserId; readonly tenantIds: readonly TenantId[] };
}

/** Joins the transaction of a lifecycle event, of each that is named: the method runs inside it and, by throwing, undoes it. */
export function OnLifecycle(...events: (keyof LifecycleEvents)[]): CustomDecorator {
  return SetMetadata(ON_LIFECYCLE, events);
}

type Listener = (payload: never) => Promise<void>;

/** Lets a lower module cause work above it without knowing who does it. */
@Injectable()
export class Lifecycle {
  private listeners: ReadonlyMap<string, readonly Listener[]> | undefined;

  constructor(private readonly marked: MarkedMethods) {}

  /** Runs every listener of the event, in the caller's transaction. */
  async emit<E extends keyof LifecycleEvents>(event: E, payload: LifecycleEvents[E]): Promise<void> {
    this.listeners ??= this.discover();
    for (const listener of this.listeners.get(event) ?? []) await listener(payload as never);
  }

  private discover(): ReadonlyMap<string, readonly Listener[]> {
    const marked = this.marked
      .find<readonly string[], Listener>(ON_LIFECYCLE)
      .flatMap(({ mark, method }) => mark.map((event) => ({ event, method })));
    const groups = Map.groupBy(marked, ({ event }) => event);
    return new Map([...groups].map(([event, found]) => [event, found.map(({ method }) => method)]));
  }
}
