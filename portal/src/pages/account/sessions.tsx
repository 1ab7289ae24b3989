import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text, type MessageId } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { useSignOutUpstream } from '../../session/sign-out.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Laptop, Phone } from '../../ui/icons.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { deviceOf } from './device.ts';
import { OnlyThePersonChanges } from './only-the-person.tsx';
import { SessionTraces } from './session-traces.tsx';

type Session = components['schemas']['SessionResponse'];

const KEY = ['sessions'];
/** Client id of first-party apps in the list of a session's clients. */
const OWN = 'gatehouse';
const INACTIVE_DAYS = 30;
/** A shorter list needs no search. */
const MIN_SEARCHED = 6;

/** Shown in place of the device of a session in which support acts. */
const SUPPORT = () => ({ name: text('sessions.support'), isPhone: false });

type Ending = 'others' | 'all' | 'inactive';

/** Question before sessions end. */
const QUESTIONS: Readonly<Record<Ending, readonly [title: MessageId, text: MessageId]>> = {
  others: ['sessions.end-others.title', 'sessions.end-others.text'],
  all: ['sessions.end-all.title', 'sessions.end-all.text'],
  inactive: ['sessions.end-inactive.title', 'sessions.end-inactive.text'],
};

/**
 * Lists the user's sessions, with their devices and satellites, and ends them. An operator who acts
 * as the person only reads the list.
 */
export function Sessions() {
  const [query, setQuery] = useState('');
  const sessions = useList([...KEY, query], async (cursor) => {
    const asked = { cursor, ...(query !== '' && { query }) };
    return (await gatehouse.get('/api/v1/iam/me/sessions', { params: { query: asked } })).data;
  });
  const [ending, setEnding] = useState<Ending | null>(null);
  const search = useCallback((typed: string) => setQuery(typed), []);
  const isLong = (sessions.data?.length ?? 0) >= MIN_SEARCHED || query !== '';
  return (
    <Page title={text('nav.sessions')} lead={text('sessions.lead')}>
      {isLong && <SearchField label={text('sessions.search')} onSearch={search} />}
      <List
        query={sessions}
        label={text('nav.sessions')}
        keyOf={({ id }) => id}
        empty={<Empty title={text(query === '' ? 'sessions.empty' : 'sessions.none')} />}
      >
        {(session) => <SessionItem session={session} />}
      </List>
      {acting === null ? (
        <div className="row">
          <Button onPress={() => setEnding('inactive')}>{text('sessions.end-inactive')}</Button>
          <Button onPress={() => setEnding('others')}>{text('sessions.end-others')}</Button>
          <Button onPress={() => setEnding('all')}>{text('sessions.end-all')}</Button>
        </div>
      ) : (
        <OnlyThePersonChanges />
      )}
      {acting === null && <SessionTraces />}
      {ending !== null && <EndMany which={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

function SessionItem({ session }: { readonly session: Session }) {
  const { id, current, userAgent, ipAddress, createdAt, lastSeenAt, properties, impersonation } = session;
  const device = impersonation ? SUPPORT() : deviceOf(userAgent);
  const say = useToast();
  const signOut = useSignOutUpstream();
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
          {impersonation && <Badge kind="care">{text('sessions.acts-as-you')}</Badge>}
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
      {acting === null && (
        <div className="end wraps">
          <Button
            small
            aria-label={
              current ? text('sessions.sign-out-here') : text('sessions.end-of', { device: device.name })
            }
            isPending={end.isPending || signOut.isPending}
            onPress={() => (current ? signOut.mutate() : end.mutate())}
          >
            {text(current ? 'sign-out' : 'sessions.end')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Ends sessions. @returns the text that says so; null if this session has ended too */
async function end(which: Ending): Promise<string | null> {
  if (which === 'inactive') {
    const body = { days: INACTIVE_DAYS };
    const { data } = await gatehouse.post('/api/v1/iam/me/sessions/end-inactive', { body });
    return text('sessions.inactive-ended', { count: data.ended });
  }
  await gatehouse.logout(which);
  return which === 'others' ? text('sessions.others-ended') : null;
}

function EndMany({ which, onClose }: { readonly which: Ending; readonly onClose: () => void }) {
  const say = useToast();
  const [title, question] = QUESTIONS[which];
  const ending = useMutation({
    mutationFn: () => end(which),
    onSuccess: async (said) => {
      onClose();
      if (said === null) return;
      await queryClient.invalidateQueries({ queryKey: KEY });
      say(said);
    },
  });
  return (
    <ConfirmDialog
      title={text(title, { days: INACTIVE_DAYS })}
      confirm={text('sign-out')}
      action={ending}
      isOpen
      onClose={onClose}
    >
      <p>{text(question)}</p>
    </ConfirmDialog>
  );
}
