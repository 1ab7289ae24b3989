import { Injectable, type CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { MarkedMethods } from '../discovery/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';

const OnLifecycleMark = Reflector.createDecorator<readonly (keyof LifecycleEvents)[]>();

/**
 * Marks a listener of lifecycle events. It runs in the transaction of the event; an error rolls it
 * back.
 */
export function OnLifecycle(...events: (keyof LifecycleEvents)[]): CustomDecorator {
  return OnLifecycleMark(events);
}

type Listener = (payload: never) => Promise<void>;

/**
 * Emits lifecycle events, by which a lower module causes work in modules that it does not import.
 */
@Injectable()
export class Lifecycle {
  private listeners: ReadonlyMap<string, readonly Listener[]> | undefined;

  constructor(private readonly marked: MarkedMethods) {}

  /** Runs all listeners of an event in order, in the caller's transaction. */
  async emit<E extends keyof LifecycleEvents>(event: E, payload: LifecycleEvents[E]): Promise<void> {
    this.listeners ??= this.discover();
    for (const listener of this.listeners.get(event) ?? []) await listener(payload as never);
  }

  private discover(): ReadonlyMap<string, readonly Listener[]> {
    const marked = this.marked
      .find<readonly (keyof LifecycleEvents)[], Listener>(OnLifecycleMark)
      .flatMap(({ mark, method }) => mark.map((event) => ({ event, method })));
    const groups = Map.groupBy(marked, ({ event }) => event);
    return new Map([...groups].map(([event, found]) => [event, found.map(({ method }) => method)]));
  }
}
