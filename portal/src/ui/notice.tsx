import type { ReactNode, Ref } from 'react';
import { Button } from './button.tsx';
import { explain } from './explain.ts';
import { text } from '../messages/index.ts';

interface Props {
  readonly kind?: 'plain' | 'good' | 'care' | 'bad';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}

/** A notice. Screen readers announce a bad one at once. */
export function Notice({ kind = 'plain', title, children, ref }: Props) {
  return (
    <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined} ref={ref} tabIndex={-1}>
      <div>
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

interface TroubleProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Titles for error codes of which the page knows more. */
  readonly titles?: Parameters<typeof explain>[1];
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLDivElement>;
}

/** Explains an error, with a button to try again. */
export function ErrorNotice({ error, onRetry, titles, children, ref }: TroubleProps) {
  const { title, text: detail, transient } = explain(error, titles);
  return (
    <Notice kind="bad" title={title} ref={ref}>
      <p>{detail}</p>
      {children}
      {transient && onRetry && (
        <p>
          <Button small onPress={onRetry}>
            {text('try-again')}
          </Button>
        </p>
      )}
    </Notice>
  );
}
