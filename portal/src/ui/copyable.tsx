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
  const button = (
    <Button small aria-label={text('copy.of', { what: label })} onPress={() => copy.mutate()}>
      {text('copy')}
    </Button>
  );
  if (isCode)
    return (
      <div className="stack tight">
        <div className="row apart">
          <strong className="small">{label}</strong>
          {button}
        </div>
        <pre className="code small" role="group" aria-label={label} tabIndex={0}>
          {value}
        </pre>
      </div>
    );
  return (
    <div className="stack tight">
      <strong className="small">{label}</strong>
      <div className="code copyable">
        <pre role="group" aria-label={label}>
          {value}
        </pre>
        {button}
      </div>
    </div>
  );
}
