import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ProblemError, UnreachableError, type Violation } from '@gatehouse/client';
import type { Station, StationSession } from '@gatehouse/client/station';
import { text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/page.tsx';
import { BadgeCamera, hasCamera } from './badge-camera.tsx';
import { PinPad } from './pin-pad.tsx';

/** Whom the person says to be. */
export type Who = { readonly number: string } | { readonly badge: string };

interface WhoProps {
  readonly station: Station;
  readonly onWho: (who: Who) => void;
}

/** Asks for the number or the badge. */
export function WhoAreYou({ station, onWho }: WhoProps) {
  const [isScanning, setScanning] = useState(false);
  const canScan = hasCamera();
  const use = useCallback((badge: string) => onWho({ badge }), [onWho]);
  if (isScanning)
    return (
      <Sheet title={text('station.scan')} lead={station.name}>
        <BadgeCamera onBadge={use} onCancel={() => setScanning(false)} />
      </Sheet>
    );
  return (
    <Sheet title={text('station.who')} lead={`${station.tenant.name} · ${station.name}`} focusTitle={false}>
      {canScan && (
        <Button look="primary" wide onPress={() => setScanning(true)}>
          {text('station.scan')}
        </Button>
      )}
      <Form error={null} onSubmit={(values) => onWho({ number: String(values.get('number')).trim() })}>
        <TextField
          label={text('station.number')}
          name="number"
          hint={text('station.number.hint')}
          maxLength={64}
          autoComplete="off"
          isRequired
          autoFocus
          verbatim
        />
        <Button type="submit" wide look={canScan ? 'plain' : undefined}>
          {text('station.next')}
        </Button>
      </Form>
    </Sheet>
  );
}

interface PinProps {
  readonly station: Station;
  readonly who: Who;
  readonly onSignedIn: (session: StationSession) => void;
  readonly onCancel: () => void;
}

/** PINs that the person has entered; the last of them is what they enter now. */
interface Entered {
  readonly pin?: string;
  readonly newPin?: string;
}

/** Asks for the PIN, and for a new one where it is temporary or the person wants another. */
export function EnterPin({ station, who, onSignedIn, onCancel }: PinProps) {
  const [entered, setEntered] = useState<Entered>({});
  const [changes, setChanges] = useState(false);
  const [differs, setDiffers] = useState(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const signIn = useMutation({
    mutationFn: (pins: { readonly pin: string; readonly newPin?: string }) =>
      station.signIn({ ...who, ...pins }),
    gcTime: 0, // neither the PIN nor the session stays for the next person
    onSuccess: (session) => {
      if (isShown.current) return onSignedIn(session);
      // The person has gone, and the next one must not work in their name.
      session.end().catch(() => undefined); // its tokens are gone; the service ends it when idle
    },
    onError: (error, { pin }) => {
      setEntered(violationOf(error) ? { pin } : {});
    },
  });
  const submit = (typed: string) => {
    setDiffers(false);
    if (entered.pin === undefined) {
      if (changes) setEntered({ pin: typed });
      else signIn.mutate({ pin: typed });
      return;
    }
    if (entered.newPin === undefined) return setEntered({ pin: entered.pin, newPin: typed });
    if (entered.newPin === typed) return signIn.mutate({ pin: entered.pin, newPin: typed });
    setEntered({ pin: entered.pin });
    setDiffers(true);
  };
  const step = entered.pin === undefined ? 'pin' : entered.newPin === undefined ? 'new-pin' : 'again';
  const title = text(`station.${step}`);
  return (
    <Sheet title={title} lead={step === 'new-pin' ? text('station.new-pin.hint') : undefined}>
      {signIn.error && step !== 'again' && !differs && <Refused error={signIn.error} />}
      {differs && (
        <Notice kind="bad">
          <p>{text('station.differs')}</p>
        </Notice>
      )}
      <PinPad key={step} label={title} isPending={signIn.isPending} onSubmit={submit} />
      {step === 'pin' && !changes && (
        <Button wide onPress={() => setChanges(true)}>
          {text('station.change-pin')}
        </Button>
      )}
      {step === 'pin' && changes && <p role="status">{text('station.change-pin.text')}</p>}
      <Button wide onPress={onCancel}>
        {text('station.back')}
      </Button>
    </Sheet>
  );
}

/** Says why a sign-in was refused, and what to do. */
function Refused({ error }: { readonly error: Error }) {
  const violation = violationOf(error);
  if (violation)
    return (
      <Notice kind="care">
        <p>{violation.message}</p>
      </Notice>
    );
  const problem = problemOf(error);
  if (problem === null) return <ErrorNotice error={error} />;
  return (
    <Notice kind="bad" title={text(`station.${problem}`)}>
      <p>{text(`station.${problem}.text`)}</p>
    </Notice>
  );
}

/** What is wrong with the new PIN, or that one is required. */
const violationOf = (error: Error): Violation | undefined =>
  error instanceof ProblemError
    ? error.violations.find(({ propertyPath }) => propertyPath === 'newPin')
    : undefined;

function problemOf(error: Error): 'offline' | 'wrong' | 'refused' | null {
  if (error instanceof UnreachableError) return 'offline';
  if (!(error instanceof ProblemError)) return null;
  if (error.code === 'invalid-credentials') return 'wrong';
  return error.code === 'unauthenticated' ? 'refused' : null;
}
