import { Injectable, SetMetadata, type CustomDecorator } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { SessionId, TenantId, UserId } from '../http/index.js';

const ON_LIFECYCLE = 'gatehouse:on-lifecycle';

/** What happens to an account or a membership, and what a listener is told about it. */
export interface LifecycleEvents {
  /** `emailKey`, the canonical form of the address, for what was kept under it. */
  'account.erased': { readonly userId: UserId; readonly emailKey: string };
  'account.password-reset': { readonly userId: UserId };
  /** The session that changed the password stays. */
  'account.password-changed': { readonly userId: UserId; readonly sessionId: SessionId };
  'membership.ended': { readonly tenantId: TenantId; readonly userId: UserId };
}

/** Joins the transaction of a lifecycle event: the method runs inside it and, by throwing, undoes it. */
export function OnLifecycle(event: keyof LifecycleEvents): CustomDecorator {
  return SetMetadata(ON_LIFECYCLE, event);
}

type Listener = (payload: unknown) => Promise<void>;

/** Lets a lower module cause work above it without knowing who does it. */
@Injectable()
export class Lifecycle {
  private listeners: Map<string, Listener[]> | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Runs every listener of the event, in the caller's transaction. */
  async emit<E extends keyof LifecycleEvents>(event: E, payload: LifecycleEvents[E]): Promise<void> {
    this.listeners ??= this.discover();
    for (const listener of this.listeners.get(event) ?? []) await listener(payload);
  }

  private discover(): Map<string, Listener[]> {
    const found = new Map<string, Listener[]>();
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, Listener>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = methods[name];
        const event =
          typeof method === 'function'
            ? (Reflect.getMetadata(ON_LIFECYCLE, method) as string | undefined)
            : undefined;
        if (event === undefined || !method) continue;
        found.set(event, [...(found.get(event) ?? []), (payload) => method.call(instance, payload)]);
      }
    }
    return found;
  }
}
