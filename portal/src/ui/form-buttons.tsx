import { text } from '../messages/index.ts';
import { Button } from './button.tsx';

interface Props {
  /** The action as a verb. */
  readonly submit: string;
  readonly isPending: boolean;
  readonly onCancel: () => void;
  /** True for a command that cannot be undone. */
  readonly isDanger?: boolean;
}

/** Buttons of a form in a dialog. */
export const FormButtons = ({ submit, isPending, onCancel, isDanger = false }: Props) => (
  <div className="buttons">
    <Button onPress={onCancel}>{text('cancel')}</Button>
    <Button type="submit" look={isDanger ? 'danger' : undefined} isPending={isPending}>
      {submit}
    </Button>
  </div>
);
