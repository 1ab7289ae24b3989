import { EmailField, PasswordField, TextField } from '../../platform/http/index.js';

export class LoginDto {
  @EmailField()
  email: string;

  @PasswordField('compare')
  password: string;
}

export class RefreshDto {
  @TextField({
    max: 512,
    example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  refreshToken: string;
}
