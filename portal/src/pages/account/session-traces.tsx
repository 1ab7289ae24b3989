import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { deviceOf } from './device.ts';

type Trace = components['schemas']['SessionTraceResponse'];

const KEY = ['session-traces'];

/** Lists what the user's sessions made, by session, and ends it with one press. */
export function SessionTraces() {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await gatehouse.get('/api/v1/iam/me/sessions/traces')).data.items,
  });
  if (data === undefined || data.length === 0) return null;
  const sessions = [...new Set(data.map(({ sessionId }) => sessionId))];
  return (
    <section className="sheet section" aria-labelledby="session-traces">
      <h2 id="session-traces">{text('session-traces')}</h2>
      <p>{text('session-traces.text')}</p>
      <ul className="list" aria-labelledby="session-traces">
        {sessions.map((id) => (
          <SessionItem key={id} id={id} traces={data.filter(({ sessionId }) => sessionId === id)} />
        ))}
      </ul>
    </section>
  );
}

function SessionItem({ id, traces }: { readonly id: string; readonly traces: readonly Trace[] }) {
  const [isAsking, setAsking] = useState(false);
  const say = useToast();
  const end = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/sessions/{id}/traces', { params: { path: { id } } }),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries();
      say(text('session-traces.ended'));
    },
  });
  return (
    <li className="item plain">
      <div className="what">
        {traces.map((trace) => (
          <span key={trace.id}>
            {rich('session-traces.made', {
              what: nameOf(trace),
              time: () => <Time value={trace.createdAt} />,
            })}
          </span>
        ))}
      </div>
      <div className="end wraps">
        <Button small onPress={() => setAsking(true)}>
          {text('session-traces.end')}
        </Button>
      </div>
      <ConfirmDialog
        title={text('session-traces.question')}
        confirm={text('session-traces.end')}
        action={end}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <p>{text('session-traces.question.text')}</p>
      </ConfirmDialog>
    </li>
  );
}

function nameOf({ kind, name }: Trace): string {
  const shown = kind === 'trusted-device' ? deviceOf(name).name : (name ?? '');
  return text(`session-traces.${kind as KnownKind}`, { name: shown });
}

type KnownKind = 'authenticator-app' | 'passkey' | 'trusted-device' | 'identity' | 'personal-key';
