import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { SignedOutError } from '@gatehouse/client';
import type { Station, StationSession } from '@gatehouse/client/station';
import { text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/page.tsx';

/** Seconds before the end of the session in which the page counts them. */
const COUNTDOWN_SECONDS = 30;
const SECOND_MS = 1_000;

interface Props {
  readonly station: Station;
  readonly session: StationSession;
  readonly onEnd: () => void;
}

/** Shows who is signed in, until they sign out or do not use the device for too long. */
export function SignedInAtStation({ station, session, onEnd }: Props) {
  const left = useSecondsLeft(session, onEnd);
  const { data: name } = useQuery({
    queryKey: ['station', session.gatehouse.sessionId],
    queryFn: async () => (await session.gatehouse.get('/api/v1/iam/me')).data.firstName,
    gcTime: 0, // nothing of a person stays for the next one
  });
  const end = () => {
    onEnd();
    session.end().catch(() => undefined); // its tokens are gone; the service ends it when idle
  };
  return (
    <Sheet
      title={text('station.signed-in', { name: name ?? '' })}
      lead={`${station.tenant.name} · ${station.name}`}
    >
      {left <= COUNTDOWN_SECONDS && (
        <Notice kind="care">
          <p role="timer">{text('station.ends', { seconds: left })}</p>
        </Notice>
      )}
      <p>{text('station.signed-in.text')}</p>
      <Button look="primary" wide onPress={end}>
        {text('station.sign-out')}
      </Button>
    </Sheet>
  );
}

/** Counts the seconds until the session ends. A touch of the device begins them again. */
function useSecondsLeft(session: StationSession, onEnd: () => void): number {
  const [left, setLeft] = useState(() => secondsUntil(session.endsAt));
  useEffect(() => {
    const count = () => {
      const seconds = secondsUntil(session.endsAt);
      setLeft(seconds);
      if (seconds <= 0) onEnd();
    };
    const use = () => {
      session.touch().then(count, (error: unknown) => {
        if (error instanceof SignedOutError) onEnd();
      });
    };
    const timer = setInterval(count, SECOND_MS);
    document.addEventListener('pointerdown', use);
    document.addEventListener('keydown', use);
    const stopListening = session.gatehouse.on('signed-out', onEnd);
    return () => {
      clearInterval(timer);
      document.removeEventListener('pointerdown', use);
      document.removeEventListener('keydown', use);
      stopListening();
    };
  }, [session, onEnd]);
  return left;
}

const secondsUntil = (time: number): number => Math.ceil((time - Date.now()) / SECOND_MS);
