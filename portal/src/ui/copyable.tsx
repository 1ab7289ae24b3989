import { useMutation } from '@tanstack/react-query';
import { text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  /** Lines of code, which get the whole width. */
  readonly isCode?: boolean;
}

/** A value to enter in another program, with a button that copies it. */
export function Copyable({ label, value, isCode = false }: Props) {
  const say = useToast();
  const copy = useMutation({
    mutationFn: () => navigator.clipboard.writeText(value),
    onSuccess: () => say(text('copy.done')),
    onError: () => say(text('copy.failed')),
  });
  return (
    <div className={isCode ? 'copyable lines' : 'copyable'}>
      <strong className="small">{label}</strong>
      <Button small aria-label={text('copy.of', { what: label })} onPress={() => copy.mutate()}>
        {text('copy')}
      </Button>
      <pre role="group" aria-label={label} {...(isCode && { tabIndex: 0 })}>
        {value}
      </pre>
    </div>
  );
}
