import { Input, passwordField, wordField } from '../../../platform/api/index.js';

export class StepUpDto {
  @Input(wordField(['password'], { description: 'A method that `step-up/options` lists.' }))
  method: 'password';

  @Input(passwordField('compare'))
  password: string;
}
