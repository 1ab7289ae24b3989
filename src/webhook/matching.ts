import { type EventType, eventTypes, PLATFORM } from '../platform/events/index.js';
import type { TenantId } from '../kernel/index.js';

/** Shape of a filter: the name of a type, or the beginning of names and `*`. */
export const FILTER_SHAPE = /^(?:\*|[a-z][a-z-]*\.(?:\*|[a-z][a-z-]*\.(?:\*|[a-z][a-z-]*)))$/;

/** Returns whether a filter of a subscription matches the name of a type. */
export function matchesType(filter: string, type: string): boolean {
  return filter.endsWith('*') ? type.startsWith(filter.slice(0, -1)) : filter === type;
}

/** Returns whether a subscription wants an event. */
export function wants(
  { types, subjectPrefix }: { readonly types: readonly string[]; readonly subjectPrefix: string | null },
  event: { readonly type: string; readonly subject: string },
): boolean {
  return (
    types.some((filter) => matchesType(filter, event.type)) && event.subject.startsWith(subjectPrefix ?? '')
  );
}

/** Returns the types that can occur in the stream of a tenant, or of the platform. */
export function typesOfStream(tenantId: TenantId): EventType[] {
  return eventTypes().filter(({ platform = false }) =>
    tenantId === PLATFORM ? platform !== false : platform !== 'only',
  );
}
