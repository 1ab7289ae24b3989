import { useEffect, useState } from 'react';
import { text } from '../../messages/index.ts';

const MIN_DIGITS = 6;
const MAX_DIGITS = 12;
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

interface Props {
  /** What to enter. */
  readonly label: string;
  readonly isPending: boolean;
  readonly onSubmit: (pin: string) => void;
}

/** A pad of digits, large enough for gloves. The keys of a keyboard work as well. */
export function PinPad({ label, isPending, onSubmit }: Props) {
  const [pin, setPin] = useState('');
  const isComplete = pin.length >= MIN_DIGITS;
  const add = (digit: string) => setPin((before) => (before + digit).slice(0, MAX_DIGITS));
  const remove = () => setPin((before) => before.slice(0, -1));
  const submit = () => {
    if (!isComplete || isPending) return;
    setPin('');
    onSubmit(pin);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (/^\d$/.test(event.key)) add(event.key);
      else if (event.key === 'Backspace') remove();
      else if (event.key !== 'Enter' || event.target instanceof HTMLButtonElement) return;
      else submit();
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  return (
    <div className="pin-pad" role="group" aria-label={label}>
      <output className="pin" aria-label={text('station.digits', { count: pin.length })}>
        {'●'.repeat(pin.length)}
      </output>
      {DIGITS.map((digit) => (
        <button key={digit} type="button" className="button" onClick={() => add(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" className="button" aria-label={text('station.delete-digit')} onClick={remove}>
        ⌫
      </button>
      <button type="button" className="button" onClick={() => add('0')}>
        0
      </button>
      <button type="button" className="button primary" disabled={!isComplete || isPending} onClick={submit}>
        {text('station.ok')}
      </button>
    </div>
  );
}
