import { PasswordField, WordField } from '../../../platform/api/index.js';

export class StepUpDto {
  @WordField(['password'], { description: 'One of the methods that `step-up/options` lists.' })
  method: 'password';

  @PasswordField('compare')
  password: string;
}
