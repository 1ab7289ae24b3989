import type { FlowState } from './state.js';

/** What the state of a flow says of the browser that began it. */
export type BrowserBinding = Pick<FlowState, 'browser' | 'begunByBrowser'>;

/** What a request says of the browser that it comes from. */
export interface Browser {
  /** Whether this deployment binds flows to the browser that began them. */
  readonly bound: boolean;
  /** The hash of its cookie. */
  readonly hash: string | null;
  /**
   * False for a program that says that it is one: there is no person in front of it who could be
   * misled.
   */
  readonly isBrowser: boolean;
}

/**
 * Whether a callback ends its flow where it began (ADR 15). A flow with a code challenge is bound
 * by its verifier, and one that links by the bearer who redeems its code. One that ends in tokens
 * is bound by the cookie, wherever a browser is on either end.
 */
export function endsWhereItBegan(state: FlowState, { bound, hash, isBrowser }: Browser): boolean {
  const boundOtherwise = state.codeChallenge !== undefined || state.link !== undefined;
  const needsCookie = bound && !boundOtherwise && (isBrowser || state.begunByBrowser === true);
  return !needsCookie || (hash !== null && hash === state.browser);
}
