import { useMutation } from '@tanstack/react-query';
import { text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
}

/** A value to enter in another program, with a button that copies it. */
export function Copyable({ label, value }: Props) {
  const say = useToast();
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(value),
    onSuccess: () => say(text('copy.done')),
    onError: () => say(text('copy.failed')),
  });
  return (
    <div className="stack tight">
      <strong className="small">{label}</strong>
      <div className="code copyable">
        <pre role="group" aria-label={label}>
          {value}
        </pre>
        <Button small aria-label={text('copy.of', { what: label })} onPress={() => copy.mutate()}>
          {text('copy')}
        </Button>
      </div>
    </div>
  );
}
