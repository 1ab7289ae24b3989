import { PasswordField, WordField } from '../../../platform/api/index.js';

export class StepUpDto {
  @WordField(['password'], { description: 'A method that `step-up/options` lists.' })
  method: 'password';

  @PasswordField('compare')
  password: string;
}
