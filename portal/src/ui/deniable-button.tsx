import type { ComponentProps } from 'react';
import { Button } from './button.tsx';

interface Props extends Omit<ComponentProps<typeof Button>, 'isDisabled'> {
  /** Why the user cannot press it; null if they can. */
  readonly denial: string | null;
}

/** A button on its own line; disabled, with the reason, if the user may not press it. */
export function DeniableButton({ denial, ...props }: Props) {
  return (
    <>
      {denial !== null && <p className="hint">{denial}</p>}
      <div>
        <Button {...props} isDisabled={denial !== null} />
      </div>
    </>
  );
}
