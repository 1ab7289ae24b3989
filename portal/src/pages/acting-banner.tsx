import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { text } from '../messages/index.ts';
import { stopActing, type Acting } from '../session/acting.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { useMe } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

const MINUTE_MS = 60_000;
const TICK_MS = 5_000;

/** Says on each page that an operator acts as a person: as whom, why, and for how long. */
export function ActingBanner({ acting }: { readonly acting: Acting }) {
  const { data: me } = useMe();
  const [now, setNow] = useState(Date.now);
  const left = acting.expiresAt - now;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left <= 0) stopActing();
  }, [left]);
  const end = useMutation({ mutationFn: () => gatehouse.logout('session') });
  const { reason = '…', ticket = null } = me?.impersonation ?? {};
  const name = me?.email ?? me?.name ?? '…';
  return (
    <aside className="acting" aria-label={text('acting')}>
      <div>
        <strong>{text('acting.as', { name })}</strong> <span>{text('acting.reason', { reason })}</span>{' '}
        {ticket !== null && <span>{text('acting.ticket', { ticket })} </span>}
        <span>{text('acting.left', { minutes: Math.max(1, Math.ceil(left / MINUTE_MS)) })}</span>
      </div>
      <Button small isPending={end.isPending} onPress={() => end.mutate()}>
        {text('acting.end')}
      </Button>
      {end.error && <ErrorNotice error={end.error} onRetry={() => end.mutate()} />}
    </aside>
  );
}
