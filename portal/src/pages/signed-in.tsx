import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { ExternalSignInError, takeFragment } from '@gatehouse/client';
import { text, type MessageId } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { signedInHere } from '../session/hosted-request.ts';
import { PAGE_PATHS, safeNext } from '../session/paths.ts';
import { secondFactorOf, type RunSignIn } from '../session/second-factor.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { deviceTokens, trustOfProvider } from '../session/trusted-device.ts';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { explain } from '../ui/explain.ts';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { nameOfKind, takeKind, takeNext, takeUnasked } from './external-kinds.tsx';
import { SecondFactor } from './second-factor.tsx';

const isCancelled = (error: unknown): boolean =>
  error instanceof ExternalSignInError && error.code === 'access_denied';

function titleOf(error: unknown): MessageId {
  if (error === null) return 'signed-in.waiting';
  return isCancelled(error) ? 'error.external.cancelled.title' : 'error.external.title';
}

/** Says why, below a title that says what. A cancelled sign-in is no alarm. */
function Failure({ error }: { readonly error: unknown }) {
  if (!(error instanceof ExternalSignInError)) return <ErrorNotice error={error} />;
  const reason = <p>{explain(error).text}</p>;
  return isCancelled(error) ? reason : <Notice kind="bad">{reason}</Notice>;
}

/**
 * The code in the fragment is single-use, so that a component that renders twice must not redeem it
 * twice.
 */
const outcome: {
  promise?: ReturnType<typeof gatehouse.completeExternalSignIn>;
  /** Under which this browser keeps that it is trusted. */
  trustName?: string;
} = {};

/** Completes the sign-in, by the trust in this browser where it has one. */
async function complete(): ReturnType<typeof gatehouse.completeExternalSignIn> {
  const fragment = takeFragment(); // before anything else: it has a code
  const kind = takeKind();
  if (kind === null) return gatehouse.completeExternalSignIn(fragment);
  const trustName = trustOfProvider(kind);
  outcome.trustName = trustName;
  const deviceToken = await deviceTokens.read(trustName);
  return gatehouse.completeExternalSignIn(fragment, { deviceToken }).catch(async (error: unknown) => {
    if (secondFactorOf(error)) await deviceTokens.remove(trustName); // it is no longer trusted
    throw error;
  });
}

/**
 * Completes the sign-in by its second factor. The page renders again when the session starts, and
 * then reads this outcome.
 */
const completeWith: RunSignIn = (signIn) => {
  const refused = outcome.promise;
  const completed = signIn().then(() => ({ signedIn: true }) as const);
  outcome.promise = completed;
  completed.catch(() => {
    outcome.promise = refused;
  });
  return completed;
};

/** Return page of external sign-ins. */
export function SignedIn() {
  const [, navigate] = useLocation();
  const say = useToast();
  const { sessionId } = useSignIn();
  const { data, error } = useQuery({
    queryKey: ['external-sign-in'],
    queryFn: () => (outcome.promise ??= complete()),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (!data) return;
    const next = takeNext();
    const isUnasked = takeUnasked();
    if ('linked' in data) {
      say(text('signed-in.linked', { provider: nameOfKind(data.linked.kind) }));
      navigate(PAGE_PATHS.identities, { replace: true });
    } else {
      // Stored by a press on the page of the app's request, in this tab, unless it was unasked.
      signedInHere.note(!isUnasked && safeNext(next).startsWith(`${PAGE_PATHS.signIn}?`));
      navigate(safeNext(next), { replace: true });
    }
  }, [data, navigate, say]);
  const needed = secondFactorOf(error);
  if (needed)
    return (
      <SignInFrame>
        <SecondFactor
          needed={needed}
          {...(outcome.trustName !== undefined && { trustName: outcome.trustName })}
          run={completeWith}
          onRestart={() => navigate(PAGE_PATHS.signIn, { replace: true })}
        />
      </SignInFrame>
    );
  const [back, label] =
    sessionId === null
      ? [PAGE_PATHS.signIn, text('back-to-sign-in')]
      : [PAGE_PATHS.identities, text('signed-in.back-to-identities')];
  return (
    <SignInFrame>
      <Sheet title={text(titleOf(error))}>
        {error ? <Failure error={error} /> : <p role="status">{text('signed-in.completing')}</p>}
        {error && (
          <Link href={back} className="button primary">
            {label}
          </Link>
        )}
      </Sheet>
    </SignInFrame>
  );
}
