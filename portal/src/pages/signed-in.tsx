import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS, safeNext } from '../session/paths.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { SignInFrame } from '../ui/frames.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { nameOfKind, takeNext } from './external-kinds.tsx';

/**
 * The code in the fragment is single-use, so that a component that renders twice must not redeem it
 * twice.
 */
const outcome: { promise?: ReturnType<typeof gatehouse.completeExternalSignIn> } = {};

/** Return page of external sign-ins. */
export function SignedIn() {
  const [, navigate] = useLocation();
  const say = useToast();
  const { sessionId } = useSignIn();
  const { data, error } = useQuery({
    queryKey: ['external-sign-in'],
    queryFn: () => (outcome.promise ??= gatehouse.completeExternalSignIn()),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (!data) return;
    const next = takeNext();
    if ('linked' in data) {
      say(`From now on you can sign in with ${nameOfKind(data.linked.kind)} as well.`);
      navigate(PAGE_PATHS.identities, { replace: true });
    } else navigate(safeNext(next), { replace: true });
  }, [data, navigate, say]);
  const [back, label] =
    sessionId === null
      ? [PAGE_PATHS.signIn, 'Back to the sign-in page']
      : [PAGE_PATHS.identities, 'Back to my identities'];
  return (
    <SignInFrame>
      <Sheet title={error ? 'Not this time' : 'One moment'}>
        {error ? <ErrorNotice error={error} /> : <p role="status">We are completing your sign-in.</p>}
        {error && (
          <Link href={back} className="button primary">
            {label}
          </Link>
        )}
      </Sheet>
    </SignInFrame>
  );
}
