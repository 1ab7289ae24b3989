/** Job that ends the sessions that began by a connection. Handled by the module of sign-ins. */
export const END_SESSIONS = 'connections.end-sessions';

/** Payload of {@link END_SESSIONS}. */
export interface SessionsToEnd {
  readonly connectionId: string;
}
