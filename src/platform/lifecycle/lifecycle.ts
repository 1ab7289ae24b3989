import { type CustomDecorator, Global, Injectable, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { MarkedMethods } from '../discovery/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';

type Event = keyof LifecycleEvents;

interface Mark {
  readonly events: readonly Event[];
  readonly order: number;
}

const OnLifecycleMark = Reflector.createDecorator<Mark>();

/** Place in the order of listeners: after all that state a smaller one. */
interface Place {
  /** Locks that the listener takes, as `LOCK` of the kernel orders them. */
  readonly order: number;
}

/**
 * Marks a listener of lifecycle events. It runs in the transaction of the event; an error rolls it
 * back. One that locks rows states its place by the order of locks; those that state none are last,
 * in any order.
 */
export function OnLifecycle(...marks: readonly (Event | Place)[]): CustomDecorator {
  const place = marks.find((mark) => typeof mark === 'object');
  const events = marks.filter((mark) => typeof mark === 'string');
  return OnLifecycleMark({ events, order: place?.order ?? Infinity });
}

type Listener = (payload: never) => Promise<void>;

/**
 * Emits lifecycle events, by which a lower module causes work in modules that it does not import.
 */
@Injectable()
export class Lifecycle {
  private listeners: ReadonlyMap<string, readonly Listener[]> | undefined;

  constructor(private readonly marked: MarkedMethods) {}

  /** Runs all listeners of an event in their order, in the caller's transaction. */
  async emit<E extends keyof LifecycleEvents>(event: E, payload: LifecycleEvents[E]): Promise<void> {
    this.listeners ??= this.discover();
    for (const listener of this.listeners.get(event) ?? []) await listener(payload as never);
  }

  private discover(): ReadonlyMap<string, readonly Listener[]> {
    const marked = this.marked
      .find<Mark, Listener>(OnLifecycleMark)
      .flatMap(({ mark, method }) => mark.events.map((event) => ({ event, method, order: mark.order })))
      .sort((one, other) => (one.order === other.order ? 0 : one.order - other.order));
    const groups = Map.groupBy(marked, ({ event }) => event);
    return new Map([...groups].map(([event, found]) => [event, found.map(({ method }) => method)]));
  }
}

@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
