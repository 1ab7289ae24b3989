import type { ReactNode } from 'react';
import {
  Button as Base,
  ProgressBarContext,
  useSlottedContext,
  type ButtonProps,
} from 'react-aria-components';
import { text } from '../messages/index.ts';

/** Variants of a button; `link` looks like a link, `provider` and `google` have a logo. */
type Look = 'plain' | 'primary' | 'danger' | 'quiet' | 'link' | 'provider' | 'google';

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  /** By default `primary` for the button that submits a form, else `plain`. */
  readonly look?: Look | undefined;
  readonly small?: boolean;
  /** Square, for an icon; requires an `aria-label`. */
  readonly icon?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A button. While pending it keeps its size, and announces it. */
export function Button({ look, small = false, icon = false, wide = false, children, ...props }: Props) {
  const shown = look ?? (props.type === 'submit' ? 'primary' : undefined);
  const classes = ['button', shown, small && 'small', icon && 'icon', wide && 'wide'];
  return (
    <Base {...props} className={classes.filter(Boolean).join(' ')}>
      {({ isPending }) => (
        <>
          {icon ? children : <span>{children}</span>}
          {isPending && <Spinner />}
        </>
      )}
    </Base>
  );
}

/** The button reads its name with the id that this gets. */
function Spinner() {
  const { id } = useSlottedContext(ProgressBarContext) ?? {};
  return <span className="spinner" role="progressbar" id={id} aria-label={text('working')} />;
}
