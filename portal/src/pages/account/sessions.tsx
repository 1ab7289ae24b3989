import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { useSignOut } from '../../session/sign-out.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Laptop, Phone } from '../../ui/icons.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { deviceOf } from './device.ts';

type Session = components['schemas']['SessionResponse'];

const KEY = ['sessions'];
/** Client id of first-party apps in the list of a session's clients. */
const OWN = 'gatehouse';

/** Lists the user's sessions, with their devices and satellites. */
export function Sessions() {
  const sessions = useList(
    KEY,
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/sessions', { params: { query: { cursor } } })).data,
  );
  const [ending, setEnding] = useState<'others' | 'all' | null>(null);
  return (
    <Page title={text('nav.sessions')} lead={text('sessions.lead')}>
      <List
        query={sessions}
        label={text('nav.sessions')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('sessions.empty')} />}
      >
        {(session) => <SessionItem session={session} />}
      </List>
      <div className="row">
        <Button onPress={() => setEnding('others')}>{text('sessions.end-others')}</Button>
        <Button onPress={() => setEnding('all')}>{text('sessions.end-all')}</Button>
      </div>
      {ending !== null && <EndMany which={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function SessionItem({ session }: { readonly session: Session }) {
  const { id, current, userAgent, ipAddress, createdAt, lastSeenAt, properties } = session;
  const device = deviceOf(userAgent);
  const say = useToast();
  const signOut = useSignOut();
  const end = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/sessions/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY });
      say(text('sessions.ended', { device: device.name }));
    },
  });
  const satellites = properties.filter(({ clientId }) => clientId !== OWN);
  return (
    <div className="item">
      <span className="avatar" aria-hidden="true">
        {device.isPhone ? <Phone /> : <Laptop />}
      </span>
      <div className="what">
        <div className="row">
          <strong>{device.name}</strong>
          {current && <Badge kind="good">{text('sessions.current')}</Badge>}
        </div>
        <span className="soft small">
          {rich('sessions.facts', {
            address: ipAddress ?? '–',
            start: () => <Time value={createdAt} />,
            seen: () => <Time value={lastSeenAt} />,
          })}
        </span>
        {satellites.length > 0 && (
          <ul className="chips" aria-label={text('sessions.apps')}>
            {satellites.map(({ clientId, lastUsedAt }) => (
              <li key={clientId}>
                <Badge>
                  {clientId} · <Time value={lastUsedAt} />
                </Badge>
              </li>
            ))}
          </ul>
        )}
        {end.error && <ErrorNotice error={end.error} onRetry={() => end.mutate()} />}
      </div>
      <div className="end wraps">
        <Button
          small
          aria-label={
            current ? text('sessions.sign-out-here') : text('sessions.end-of', { device: device.name })
          }
          isPending={end.isPending || signOut.isPending}
          onPress={() => (current ? signOut.mutate('session') : end.mutate())}
        >
          {text(current ? 'sign-out' : 'sessions.end')}
        </Button>
      </div>
    </div>
  );
}

function EndMany({ which, onClose }: { readonly which: 'others' | 'all'; readonly onClose: () => void }) {
  const say = useToast();
  const end = useMutation({
    mutationFn: () => gatehouse.logout(which),
    onSuccess: async () => {
      onClose();
      if (which === 'all') return;
      await queryClient.invalidateQueries({ queryKey: KEY });
      say(text('sessions.others-ended'));
    },
  });
  return (
    <ConfirmDialog
      title={text(which === 'all' ? 'sessions.end-all.title' : 'sessions.end-others.title')}
      confirm={text('sign-out')}
      action={end}
      isOpen
      onClose={onClose}
    >
      <p>{text(which === 'all' ? 'sessions.end-all.text' : 'sessions.end-others.text')}</p>
    </ConfirmDialog>
  );
}
