import type { FlowState } from './state/state.js';

/** The browser that started a flow, as recorded in the flow's state. */
export type BrowserBinding = Pick<FlowState, 'browser' | 'begunByBrowser'>;

/** The browser that a request comes from. */
export interface Browser {
  /** Whether this deployment binds flows to the browser that started them. */
  readonly bound: boolean;
  /** Hash of its cookie. */
  readonly hash: string | null;
  /** False for a request that identifies itself as a program: login CSRF needs a person. */
  readonly isBrowser: boolean;
}

/**
 * Tells whether a callback may end its flow in this browser (ADR 15). A flow with a code challenge
 * is bound by its verifier, and a flow that links by the caller who redeems its link code. Others
 * are bound by the cookie if a browser started them or ends them: those that end in tokens, and
 * tests of connections, whose result would tell its starter the attributes of another person.
 */
export function mayEndInBrowser(state: FlowState, { bound, hash, isBrowser }: Browser): boolean {
  const boundOtherwise = [state.codeChallenge, state.link].some((one) => one !== undefined);
  const needsCookie = bound && !boundOtherwise && (isBrowser || state.begunByBrowser === true);
  return !needsCookie || (hash !== null && hash === state.browser);
}
