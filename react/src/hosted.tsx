'use client';

import { useEffect, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react';
import { useAttempt, type Progress } from './attempt.js';
import { useGatehouse } from './hooks.js';
import { UNREAD_RETURN, type HostedReturn } from './hosted-return.js';
import { Protected, type ProtectedProps } from './protected.js';
import { useStore } from './provider.js';

/** How to sign in on the pages of the service. */
export interface HostedSignInOptions {
  /** Page to return to, one of the service's `RETURN_URIS`; this page by default. */
  readonly returnTo?: string;
  /** Strength of the sign-in: `aal2` for two factors, `phr` for a passkey. */
  readonly acr?: 'aal2' | 'phr';
  /** Maximum age of the sign-in, in seconds. */
  readonly maxAge?: number;
}

export interface HostedSignIn extends Progress {
  /** Sends the browser to the sign-in page. @returns false if that failed; never rejects */
  readonly signIn: (options?: HostedSignInOptions) => Promise<boolean>;
}

/** Returns a function that signs in on the pages of the service, with its progress. */
export function useHostedSignIn(): HostedSignIn {
  const client = useGatehouse();
  const { run, ...progress } = useAttempt();
  const signIn: HostedSignIn['signIn'] = ({ returnTo = pageOf(location.href), ...rest } = {}) =>
    run(async () => location.assign(await client.startHostedSignIn({ returnTo, ...rest })));
  return { ...progress, signIn };
}

/**
 * Completes a hosted sign-in that has returned to this page, once, however often it is mounted.
 * `none` is the status of a page to which none has returned.
 */
export function useCompleteHostedSignIn(): HostedReturn {
  const { hosted } = useStore();
  useEffect(hosted.complete, [hosted]);
  return useSyncExternalStore(hosted.subscribe, hosted.get, () => UNREAD_RETURN);
}

export interface SignInButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'type'> {
  readonly options?: HostedSignInOptions;
}

/** A button that signs in on the pages of the service; "Sign in" without a text of yours. */
export function SignInButton({ options, disabled, children = 'Sign in', ...props }: SignInButtonProps) {
  const { signIn, isPending, error } = useHostedSignIn();
  const leave = () => {
    signIn(options).catch(() => undefined); // `error` has it
  };
  return (
    <>
      <button {...props} type="button" disabled={disabled || isPending} onClick={leave}>
        {children}
      </button>
      {error instanceof Error && <p role="alert">{error.message}</p>}
    </>
  );
}

export interface ProtectedPageProps extends Omit<ProtectedProps, 'fallback'> {
  readonly options?: HostedSignInOptions;
  /** Shown if the sign-in failed; a message and a button by default. */
  readonly failed?: (error: unknown) => ReactNode;
}

/**
 * A page for signed-in users: it sends others to the sign-in page of the service, and completes the
 * sign-in when they return. With `scope` it requires a permission too, as {@link Protected} does.
 */
export function ProtectedPage({ options, failed = tryAgain, ...props }: ProtectedPageProps) {
  const { status, error } = useCompleteHostedSignIn();
  if (status === 'pending') return props.loading ?? null;
  const fallback =
    status === 'failed' ? failed(error) : <Departure options={options} loading={props.loading} />;
  return <Protected {...props} fallback={fallback} />;
}

/** Leaves for the sign-in page. */
function Departure({ options, loading }: Pick<ProtectedPageProps, 'options' | 'loading'>): ReactNode {
  const { signIn, error } = useHostedSignIn();
  useEffect(() => {
    const leave = () => {
      signIn(options).catch(() => undefined); // `error` has it
    };
    const timer = setTimeout(leave); // not twice in strict mode
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && leave(); // by "Back"
    addEventListener('pageshow', onShow);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', onShow);
    };
  }, []); // the options of the first time
  return error === null ? loading : tryAgain(error);
}

function tryAgain(error: unknown): ReactNode {
  return (
    <>
      <p role="alert">{error instanceof Error ? error.message : 'The sign-in failed.'}</p>
      <SignInButton>Try again</SignInButton>
    </>
  );
}

/** Returns the address without its fragment, which returns with the code. */
const pageOf = (href: string): string => href.replace(/#.*$/, '');
