import { Injectable, SetMetadata, type CustomDecorator } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';

const ON_LIFECYCLE = 'gatehouse:on-lifecycle';

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
